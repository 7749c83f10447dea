import Foundation
import Testing

/// The example of models, in both kinds of modules.
@Suite("Models example", .timeLimit(.minutes(10)))
struct ModelsExampleTests {
    private static let logic = ["Models.swift", "FactClient.swift"]

    @Test(
        "it compiles and runs in a module that is isolated to the main actor by default, and in one that is not",
        .compiler,
        arguments: [true, false])
    func isolation(isMainActor: Bool) async throws {
        let compiler = try Compiler.current
        let slot = compiler.slot("models-example-\(isMainActor)")
        let main = """
            import PromisedModels

            let store = Store<AppModel>(initialState: .init(), scheduler: .immediate) { $0.uuid = .incrementing }
            store.model.addButtonTapped()
            store.model.counters[0].counter.incrementTapped()
            print(store.model.sum)
            """
        let sources = try Self.logic.map { try Package.text("Example/CounterList/\($0)") }
        let report = try await compiler.build(
            zip(Self.logic, sources).map { .init(name: $0, text: $1) } + [
                .init(name: "main.swift", text: main)
            ],
            linking: Package.modules.filter { !Package.testing.contains($0) },
            flags: isMainActor ? ["-default-isolation", "MainActor"] : [], in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.output == "1\n")
    }

    @Test("its logic has at most 90 lines, and none of the words that isolation would need")
    func size() throws {
        let lines = try Package.text("Example/CounterList/Models.swift").split(separator: "\n")
            .filter { !$0.allSatisfy(\.isWhitespace) && !$0.drop(while: \.isWhitespace).hasPrefix("//") }
        #expect(lines.count <= 90)
        for word in ["nonisolated", "self.", "@Sendable", "@MainActor"] {
            #expect(!lines.contains { $0.contains(word) })
        }
    }
}
