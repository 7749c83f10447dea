import Foundation
import Testing

@testable import ProductPage

/// Asks the program for something that must fail, and checks everything that a failure promises: one line on
/// standard error, nothing on standard output, and the cart as it was.
func expectFailure(
    _ arguments: String..., code: Int32, saying expected: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
    let errors = try await failure(arguments, code: code, sourceLocation)
    #expect(errors == "product-page: \(expected)\n", sourceLocation: sourceLocation)
}

/// The same, where the line has more to say than `beginning`.
func expectFailure(
    _ arguments: String..., code: Int32, beginning: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
) async throws {
    let errors = try await failure(arguments, code: code, sourceLocation)
    #expect(errors.hasPrefix("product-page: \(beginning)"), sourceLocation: sourceLocation)
    #expect(errors.hasSuffix("\n"), sourceLocation: sourceLocation)
    #expect(errors.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
}

/// - Returns: What was on standard error.
private func failure(
    _ arguments: [String], code: Int32, _ sourceLocation: Testing.SourceLocation
) async throws -> String {
    let home = try TemporaryFolder()
    _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: [.oneB]) }
    let before = try Data(contentsOf: URL(filePath: home.file("cart.json")))

    let outcome = try await ToolRun(in: home).run(["--cart", "cart.json", "--latency", "0"] + arguments)
    #expect(outcome.code == code, sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)

    let after = try Data(contentsOf: URL(filePath: home.file("cart.json")))
    #expect(before == after, sourceLocation: sourceLocation)
    #expect(try home.visibleNames() == ["cart.json"], sourceLocation: sourceLocation)
    return outcome.errors
}
