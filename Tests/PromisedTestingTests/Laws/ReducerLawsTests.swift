import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The laws of reducers hold for reducers, and each law finds a reducer that breaks it.
@Suite struct ReducerLawsTests {
    @Sendable private static func number(_ random: inout LawRandom) -> Int {
        .random(in: -9...9, using: &random)
    }

    @Test("SR-10: reducers keep all laws: in place, slow, with loading states, and failing") func reducers() {
        struct Odd: Error {}
        let asked = Stub<Int, Int>("asked")
        let laws = ReducerLaws<Reducer<Int, Int>, Int, Int, PromiseTrace<Int>>(
            [
                "adding": Reducer { $0 += $1 }, "bounded": Reducer { count, _ in count = min(count, 5) },
                "slow": Reducer { count, number in
                    Promise.value(count &* 3 &- number).delay(.seconds(1)).stateWhenLoading(-1)
                },
                "failing": Reducer { count, _ in
                    count.isMultiple(of: 2) ? .value(count) : Promise(error: Odd())
                },
                "asking": Reducer { _, number in asked(number).timeout(.seconds(1)) },
            ], states: Self.number, events: Self.number, effects: { asked.calls.count })
        #expect(laws.all.count == 5)
        #expect(broken(laws.all, cases: 1_000).isEmpty)
    }

    @Test("SR-10: a function that changes a state in place keeps the laws of reducers") func inPlace() {
        typealias InPlace = @Sendable (inout [Int], Int) -> Void
        let laws = ReducerLaws<InPlace, [Int], Int, [Int]>(
            ["append": { $0.append($1) }, "reverse": { state, _ in state.reverse() }],
            states: { random in (0..<3).map { _ in Self.number(&random) } }, events: Self.number,
            identity: { _, _ in },
            combine: { first, second in
                { state, event in
                    first(&state, event)
                    second(&state, event)
                }
            }
        ) { reduce, state, event in
            var state = state
            reduce(&state, event)
            return { [state] in state }
        }
        #expect(laws.all.count == 4)
        #expect(broken(laws.all).isEmpty)
    }

    // MARK: Reducers that break them

    typealias Toy = @Sendable (Int, Int) -> Int

    private static func toys(
        _ toy: @escaping Toy = { $0 &* 2 &+ $1 }, effects: @escaping @Sendable () -> Int = { 0 },
        identity: @escaping Toy = { state, _ in state },
        combine: @escaping @Sendable (@escaping Toy, @escaping Toy) -> Toy = { first, second in
            { second(first($0, $1), $1) }
        }
    ) -> ReducerLaws<Toy, Int, Int, Int> {
        ReducerLaws(
            ["toy": toy, "adding": { $0 &+ $1 }], states: number, events: number, identity: identity,
            combine: { combine($0, $1) }, effects: effects
        ) { toy, state, event in
            let next = toy(state, event)
            return { next }
        }
    }

    /// A reducer that breaks the law, by the law's name.
    private static func wrong(_ law: String) -> [Law] {
        let calls = Stub<Int, Int>("calls")
        let counter = Lock(0)
        return switch law {
        case "determinism":
            toys({ state, _ in
                counter.withLock { counter in
                    counter += 1
                    return state + counter
                }
            }).all
        case "laziness":
            toys(
                { state, event in
                    calls(event).start()
                    return state
                }, effects: { calls.calls.count }
            ).all
        case "left identity": toys(combine: { first, _ in first }).all
        case "right identity": toys(combine: { _, second in second }).all
        default: toys(combine: { first, second in { second(first($0, $1), $1) &- $0 } }).all
        }
    }

    private static let names = [
        "determinism", "laziness", "left identity", "right identity", "associativity",
    ]

    @Test("correct reducers break no law") func sound() {
        #expect(broken(Self.toys().all).isEmpty)
        #expect(Self.toys().all.map(\.name) == Self.names)
    }

    @Test("each law finds a reducer that breaks it", arguments: names) func finds(law: String) {
        #expect(broken(Self.wrong(law)).contains(law))
    }

    @Test("a counterexample shows reducers by their names") func text() {
        #expect(
            failures { checkLaws(Self.wrong("left identity"), leavingOut: ["associativity": "not asked"]) }
                == [
                    """
                    The law "left identity" does not hold: identity <> a is a. But:

                        a = toy
                        s = -9
                        e = -9
                        left: -9
                        right: -27

                    Shrunk from case 1 of 200 with seed 1. Fix what breaks the law, or leave it out and say why: \
                    leavingOut: ["left identity": "…"].
                    """
                ])
    }
}
