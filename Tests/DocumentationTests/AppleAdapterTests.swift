import Foundation
import Testing

/// Code that needs a framework of Apple's compiles against stubs: each file of the folders `Apple` in `Sources`.
@Suite("Adapters", .timeLimit(.minutes(10)), .enabled(if: Frameworks.areStubs))
struct AppleAdapterTests {
    /// The package's upcoming features that an import or a type may break.
    private static let features = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault",
        "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]

    @Test("SA-60, OS-15: the compiler accepts", .compiler, arguments: Frameworks.adapters)
    func compiles(file: String) async throws {
        let compiler = try Compiler.current
        let features = Self.features.flatMap { ["-enable-upcoming-feature", $0] }
        let flags =
            try await ["-parse-as-library", "-warnings-as-errors", "-Werror", "ExplicitSendable"] + features
            + Frameworks(compiler: compiler).flags()
        let report = try await compiler.check(
            try Frameworks.adapter(file), flags: flags, in: compiler.slot("adapter-\(file)"))
        #expect(report == nil)
    }

    @Test("An adapter that does not fit is rejected: the stubs are type-checked", .compiler)
    func isSeen() async throws {
        let compiler = try Compiler.current
        let flags = try await ["-parse-as-library"] + Frameworks(compiler: compiler).flags()
        let text = "#if canImport(SwiftUI) && canImport(Combine)\nlet wrong: Int = \"\"\n#endif"
        let report = try await compiler.check(
            [.init(name: "adapter.swift", text: text)], flags: flags, in: compiler.slot("adapter-wrong"))
        #expect(report?.contains("cannot convert value") == true)
    }

    @Test(
        "SR-47, OS-15: every line of an adapter is inside a condition on its framework",
        arguments: Frameworks.adapters)
    func isConditional(file: String) throws {
        let lines = try Package.text(file).split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: #/#if canImport\(\w+\)/#) != nil)
        #expect(lines.last == "#endif")
        #expect(lines.dropFirst().dropLast().allSatisfy { !$0.hasPrefix("#") })
    }

    @Test(
        "OS-20: an animation contains the notification and not the write, also for the writes of a task",
        .compiler)
    func animation() async throws {
        let path = "Sources/PromisedModels/Apple/NotificationContext+SwiftUI.swift"
        // What the file uses of SwiftUI is declared beside it, and runs.
        let adapter = try Package.text(path).replacing(
            "#if canImport(SwiftUI)", with: "import PromisedModels\n#if true"
        )
        .replacing("public import SwiftUI", with: "")
        let compiler = try Compiler.current
        let slot = compiler.slot("adapter-animation")
        let modules = Package.modules.filter { !Package.testing.contains($0) }
        let report = try await compiler.build(
            [
                .init(name: "adapter.swift", text: adapter),
                .init(name: "animations.swift", text: Self.animations),
                .init(name: "main.swift", text: Self.animated),
            ], linking: modules, flags: ["-warnings-as-errors"], in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        let lines = [
            "1 written in nil", "1 notified in slow", "2 written in nil", "2 notified in nil",
            "3 written in nil", "3 notified in default", "4 written in nil", "4 notified in silent",
        ]
        #expect(outcome.output.split(separator: "\n").map(String.init) == lines)
    }

    @Test("SR-46: what a SwiftUI binding is set to is sent in the transaction of the binding", .compiler)
    func transaction() async throws {
        let path = "Sources/PromisedSystem/Apple/EventBinding+SwiftUI.swift"
        // What the file uses of SwiftUI is declared beside it, and runs.
        let adapter = try Package.text(path).replacing(
            "#if canImport(SwiftUI)", with: "import PromisedSystem\n#if true"
        )
        .replacing("public import SwiftUI", with: "")
        let compiler = try Compiler.current
        let slot = compiler.slot("adapter-transaction")
        let modules = Package.modules.filter { !Package.testing.contains($0) }
        let report = try await compiler.build(
            [
                .init(name: "adapter.swift", text: adapter), .init(name: "binding.swift", text: Self.binding),
                .init(name: "main.swift", text: Self.bound),
            ], linking: modules, flags: ["-warnings-as-errors"], in: slot)
        #expect(report == nil)
        let outcome = try await Subprocess.run([compiler.program(in: slot).path], in: slot)
        #expect(outcome.output == "a sent in none\nb sent in slow\nc sent in none\n")
    }

    private static let binding = """
        public struct Transaction { public var name = "none" }

        nonisolated(unsafe) var current = Transaction()

        func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
            defer { current = Transaction() }
            current = transaction
            return try body()
        }

        public struct Binding<Value> {
            public var transaction = Transaction()
            private let get: () -> Value
            private let set: (Value, Transaction) -> Void

            public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
                self.init(get: get) { value, _ in set(value) }
            }

            public init(
                get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value, Transaction) -> Void
            ) { (self.get, self.set) = (get, set) }

            public var wrappedValue: Value {
                get { get() }
                nonmutating set { set(newValue, transaction) }
            }
        }
        """

    private static let bound = """
        import PromisedSystem

        let name = Source.constant("").binding { print($0, "sent in", current.name) }
        var binding = name.binding
        binding.wrappedValue = "a"
        binding.transaction.name = "slow"
        binding.wrappedValue = "b"
        name.value = "c"
        """

    private static let animations = """
        public struct Animation: Sendable {
            public static let (`default`, slow) = (Animation(name: "default"), Animation(name: "slow"))
            let name: String
        }

        public struct Transaction { public var name = "" }

        nonisolated(unsafe) var current: String?

        func within<Result>(_ name: String?, _ body: () throws -> Result) rethrows -> Result {
            defer { current = nil }
            current = name
            return try body()
        }

        func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
            try within(animation?.name, body)
        }

        func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows -> Result {
            try within(transaction.name, body)
        }
        """

    private static let animated = """
        import PromisedModels

        struct Counter: Model {
            struct State: Equatable { var count = 0 }
            let context: ModelContext<Counter>

            func increment() {
                print(context.state.count + 1, "written in", current ?? "nil")
                context.state.count += 1
            }
            func incrementSlowly() { withAnimation(.slow) { increment() } }
            func incrementLater() { withAnimation { task { increment() } } }
            func incrementSilently() { withTransaction { $0.name = "silent" } _: { increment() } }
        }

        let store = Store<Counter>(initialState: .init(), scheduler: .main)
        let counter = store.model
        let token = counter.source(of: \\.count).subscribe(replayCurrent: false) { count in
            print(count, "notified in", current ?? "nil")
        }
        counter.incrementSlowly()
        counter.increment()
        counter.incrementLater()
        try await counter.waitUntil(counter.count == 3)
        counter.incrementSilently()
        token.cancel()
        """
}
