import Foundation

/// Checks that a fixture does not compile, and that only its marked parts are the reason.
struct FixtureCheck: Sendable {
    let compiler: Compiler

    /// The problems of the fixture; its results are stored in folders that begin with `slot`.
    func problems(of fixture: Fixture, in slot: URL) async throws -> [Problem] {
        let refusal = try await verdict(
            on: fixture.whole, of: fixture, isRefused: true, in: slot.appending(path: "whole"))
        let corrected = try await verdict(
            on: fixture.corrected, of: fixture, isRefused: false, in: slot.appending(path: "corrected"))
        var messages: [String] = []
        if let refusal {
            if !Diagnostics.errors(in: refusal).contains(where: { $0.contains(fixture.expected) }) {
                messages.append("no error says '\(fixture.expected)'\n\(refusal)")
            }
        } else {
            messages.append("this compiles, and must not")
        }
        if let corrected {
            messages.append("without its wrong part this must compile, and does not\n\(corrected)")
        }
        return messages.map { Problem(place: Place(file: fixture.file, line: 1), message: $0) }
    }

    private func verdict(
        on text: String, of fixture: Fixture, isRefused: Bool, in slot: URL
    ) async throws -> String? {
        let path = Package.root.appending(path: fixture.file).path
        let source = "#sourceLocation(file: \"\(path)\", line: 1)\n\(text)"
        return try await compiler.check(
            [.init(name: "fixture.swift", text: source)], flags: ["-parse-as-library"],
            isRefused: isRefused, in: slot)
    }
}
