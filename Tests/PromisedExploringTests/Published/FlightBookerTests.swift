import PromisedExploring
import PromisedSystem
import Testing

/// A return flight that is booked when the airline says that there are seats.
enum FlightBooker {
    struct Trip: Hashable, Sendable {
        var departure = 2
        var comesBack = 3

        var isPossible: Bool { departure <= comesBack }
    }

    enum Phase: Hashable, Sendable {
        case editing, checking, booked
    }

    struct State: Hashable, Sendable {
        var trip = Trip()
        var phase = Phase.editing
    }

    enum Event: Hashable, Sendable {
        case pickReturn(Int), book, checked(hasSeats: Bool)
    }

    typealias Check = @Sendable (Trip) -> Promise<Bool>

    /// Planted: the fields can be changed while the airline is asked, and what they say at the end is booked.
    static func planted(_ world: World<State>, _ check: @escaping Check) -> System<State, Event> {
        System(
            initialState: State(), scheduler: world.scheduler,
            reducer: Reducer { state, event in
                switch event {
                case .pickReturn(let day): if state.phase != .booked { state.trip.comesBack = day }
                case .book: if state.phase == .editing, state.trip.isPossible { state.phase = .checking }
                case .checked(let hasSeats): state.phase = hasSeats ? .booked : .editing
                }
            },
            feedbacks: [
                .whilePresent(state: { $0.phase == .checking ? $0.trip : nil }) { trip in
                    check(trip).map { .checked(hasSeats: $0) }
                }
            ])
    }

    /// Mended: the check is the transition, and the form is locked until it is over.
    static func mended(_ world: World<State>, _ check: @escaping Check) -> System<State, Event> {
        System(
            initialState: State(), scheduler: world.scheduler,
            configuration: .init(eventPolicy: { _ in .dropWhileBusy })
        ) { state, event in
            var next = state
            switch event {
            case .pickReturn(let day) where state.phase == .editing:
                next.trip.comesBack = day
                return .value(next)
            case .book where state.phase == .editing && state.trip.isPossible:
                return check(state.trip).map { State(trip: state.trip, phase: $0 ? .booked : .editing) }
                    .stateWhenLoading(State(trip: state.trip, phase: .checking))
            default: return .value(state)
            }
        }
    }

    static func explorer(isMended: Bool) -> Explorer<State, Event> {
        Explorer(events: [.pickReturn(1), .pickReturn(4), .book]) { world in
            world.always("a booked trip returns after its departure") {
                $0.phase != .booked || $0.trip.isPossible
            }
            return (isMended ? mended : planted)(world) { trip in
                world.call("seats back on \(trip.comesBack)", .value(true), .value(false))
            }
        }
    }
}

// After the flight booker of the seven GUIs.
@Suite struct FlightBookerTests {
    @Test("a date that is changed during the check is booked: found in 3 steps")
    func planted() throws {
        let found = try #require(FlightBooker.explorer(isMended: false).explore(depth: 6).counterexample)
        #expect(
            found.steps == [.send(.book), .send(.pickReturn(1)), .answer("seats back on 3", "true")])
    }

    @Test("the checked trip is booked: complete")
    func mended() {
        let exploration = FlightBooker.explorer(isMended: true).check(depth: 30)
        #expect(exploration.gaps == [])
    }
}
