import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// Values that are not equal to themselves, or cannot be compared at all, get a new number each time. A path that is
/// repeated has other numbers then, which is a gap and no alarm.
@Suite struct IncomparableTests {
    struct Reading: Hashable, Sendable {
        var value: Double
        var step = 0
    }

    struct Opaque: Sendable { var value: Double }

    enum Place: CaseIterable { case state, otherState, variable, answer, event, opaqueState, opaqueAnswer }

    private static func build(_ place: Place) -> @Sendable (World<Reading>) -> System<Reading, Double> {
        { world in
            let variable = world.variable(0.0)
            let other = System<Double, Double>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            let opaque =
                place != .opaqueState
                ? nil
                : System<Opaque, Double>(
                    initialState: Opaque(value: 0), scheduler: world.scheduler,
                    reducer: Reducer { $0 = Opaque(value: $1) })
            return System(initialState: Reading(value: 0), scheduler: world.scheduler) { reading, event in
                let next = Reading(value: reading.value, step: (reading.step + 1) % 4)
                guard event != 0 else {
                    return world.call("wait", .value(0)).map { _ in next }
                }
                switch place {
                case .state: return .value(Reading(value: .nan, step: next.step))
                case .otherState: other.sendEvent(.nan)
                case .opaqueState: opaque?.sendEvent(1)
                case .variable: variable.value = .nan
                case .answer:
                    return world.call("measure", .value(Double.nan), .value(1)).map { _ in next }
                case .opaqueAnswer:
                    return world.call("measure", .value(Opaque(value: 1), named: "one")).map { _ in next }
                case .event: break
                }
                return .value(next)
            }
        }
    }

    @Test("of a state or a variable are a gap, and nowhere an alarm", arguments: Place.allCases)
    func gap(place: Place) {
        let explorer = Explorer(events: place == .event ? [0, .nan] : [0, 1], build: Self.build(place))
        let found = explorer.explore(depth: 5, .init(audit: 1))
        let every = explorer.explore(depth: 5, .init(merging: .none))
        #expect(found.counterexample == nil && every.counterexample == nil)
        #expect(Set(found.states.map(\.step)) == Set(every.states.map(\.step)))
        let gaps = found.gaps.filter { if case .incomparable = $0 { true } else { false } }
        #expect(gaps == place.types.map(Gap.incomparable))
    }
}

extension IncomparableTests.Place {
    /// Answers and events have the numbers of their places in what is listed.
    fileprivate var types: [String] {
        switch self {
        case .state: ["Reading"]
        case .otherState, .variable: ["Double"]
        case .opaqueState: ["Opaque"]
        case .answer, .opaqueAnswer, .event: []
        }
    }
}
