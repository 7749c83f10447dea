import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Every assertion that chooses among several takes the one that is meant, and leaves what stands before and behind it.
@Suite struct FilterTableTests {
    struct Parts: Sendable, Equatable { var a = 0, b = 0, c = 0 }
    struct First: Error, Equatable {}
    struct Second: Error, Equatable {}
    struct Third: Error, Equatable {}
    enum Event: Sendable, Equatable { case start, one, two, three, change }

    private static func test() -> TestSystem<Parts, Event> {
        TestSystem(
            initialState: Parts(),
            feature: Feature(
                reducer: Reducer { parts, event in if event == .change { parts = Parts(a: 1, b: 2, c: 3) } },
                feedbacks: [
                    .onEvent({ $0 == .start ? true : nil }) { _ in
                        Effect<Event>.sequence([.one, .two, .three])
                    }
                ]
                    + [First(), Second(), Third()].map { (error: any Error & Sendable) in
                        .onEvent({ $0 == .start ? true : nil }) { _ in Promise<Event>(error: error) }
                    }
                    + ["x", "y", "z"].map { (key: EffectKey) in
                        .onEvent({ $0 == .start ? true : nil }, key: { _ in key }) { _ in Effect<Event>.never
                        }
                    }))
    }

    /// A call that chooses, and what it takes of what the test has to account for.
    enum Call: String, CaseIterable, Sendable {
        case receive, receiveWhere, failure, failureType, failureWhere, skip, partA, partB, partC, none

        func make(_ test: TestSystem<Parts, Event>) {
            switch self {
            case .receive: test.receive(.two)
            case .receiveWhere: test.receive(where: { $0 == .two || $0 == .three })
            case .failure: test.receiveFailure(Second())
            case .failureType: test.receiveFailure(Second.self)
            case .failureWhere: test.receiveFailure(where: { $0 is Second || $0 is Third })
            case .skip: test.skipRunningWork("y")
            case .partA: test.assert(\.a, 1)
            case .partB: test.assert(\.b, 2)
            case .partC: test.assert(\.c, 3)
            case .none: break
            }
        }

        var taken: String? {
            switch self {
            case .receive, .receiveWhere: "two"
            case .failure, .failureType, .failureWhere: "Second"
            case .skip: "effect y"
            case .partA: "a: "
            case .partB: "b: "
            case .partC: "c: "
            case .none: nil
            }
        }
    }

    private static let all = [
        "First", "Second", "Third", "one", "two", "three", "a: ", "b: ", "c: ", "effect x", "effect y",
        "effect z",
    ]

    @Test(
        "what a call takes is accounted for, and everything beside it is reported", arguments: Call.allCases)
    func takes(call: Call) {
        let test = Self.test()
        test.send(.start)
        test.send(.change)
        #expect(failures { call.make(test) }.isEmpty)
        let text = failures { test.finish() }.joined(separator: "\n")
        #expect(Self.all.filter { text.contains($0) } == Self.all.filter { $0 != call.taken })
    }

    @Test(
        "what is taken twice is missing the second time, and the failure lists what is left",
        arguments: Call.allCases)
    func twice(call: Call) {
        let test = Self.test()
        test.send(.start)
        let texts = failures {
            call.make(test)
            call.make(test)
            if call == .receiveWhere || call == .failureWhere { call.make(test) }
        }
        let left: [String] =
            switch call {
            case .receive: ["one", "three"]
            case .receiveWhere: ["one"]
            case .failure, .failureType: ["First", "Third"]
            case .failureWhere: ["First"]
            case .skip: ["effect x", "effect z"]
            case .partA, .partB, .partC, .none: []
            }
        guard !left.isEmpty else { return _ = failures { test.finish() } }
        #expect(texts.count == 1)
        let list = texts[0].split(separator: "\n").filter { $0.hasPrefix("    ") }
        #expect(list.count == left.count)
        for (line, name) in zip(list, left) { #expect(line.contains(name)) }
        _ = failures { test.finish() }
    }

    @Test("a wrong value of any part is reported, and the parts beside it are compared", arguments: 0..<3)
    func wrongPart(index: Int) {
        let paths: [WritableKeyPath<Parts, Int>] = [\.a, \.b, \.c]
        var expected = Parts(a: 1, b: 2, c: 3)
        expected[keyPath: paths[index]] = 9
        let texts = failures {
            let test = Self.test()
            test.send(.change) { $0 = expected }
            test.finish()
        }
        #expect(
            texts.map { $0.split(separator: "\n").last } == [
                "    \(["a", "b", "c"][index]): 9 → \(index + 1)"
            ])
    }

    @Test("of three calls of a stub, any can be chosen, and the others stay open", arguments: 0..<3)
    func stubs(index: Int) {
        let choices: [(Int) -> StubChoice<Int>] = [
            { .number($0 + 1) }, { .with($0) }, { number in .first { $0 == number } },
        ]
        for choice in choices {
            let stub = Stub<Int, Int>("price")
            for number in 0..<3 { stub(number).start() }
            stub.fulfill(7, call: choice(index))
            #expect(stub.calls.filter { !$0.isOpen }.map(\.input) == [index])
        }
    }

    @Test("of three rows of marbles, any that differs is reported alone", arguments: 0..<3)
    func rows(index: Int) {
        let scheduler = TestScheduler()
        let promises = (0..<3).map { Promise.value($0).delay(.seconds($0)) }
        let rows = (0..<3).map { number in
            String(repeating: "-", count: number) + (number == index ? "(9|)" : "(\(number)|)")
        }
        let texts = failures {
            scheduler.play(
                .expect(rows[0], of: promises[0]), .expect(rows[1], of: promises[1]),
                .expect(rows[2], of: promises[2]))
        }
        #expect(texts.count == 1 && texts[0].contains("9"))
    }

    @Test("of three laws, any that does not hold is reported alone", arguments: 0..<3)
    func laws(index: Int) {
        let laws = (0..<3).map { number in
            Law("law \(number)", "holds") { _ in number == index ? .init(["n": number], [:]) : nil }
        }
        #expect(broken(laws) == ["law \(index)"])
        #expect(broken(laws, leavingOut: ["law \(index)": "known"]).isEmpty)
    }
}
