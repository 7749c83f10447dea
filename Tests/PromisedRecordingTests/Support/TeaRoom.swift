import Promise
import PromisedSystem
import PromisedTesting

@testable import PromisedRecording

/// A program that is recorded, and then run again with a change.
struct TeaRoom: Sendable {
    struct Tables: Codable, Hashable, Sendable {
        var guests = 0, opens = false, orders: [Int] = [], note: String?, prices: [String: Int] = [:]
    }

    enum Step: Codable, Hashable, Sendable {
        case enter(Int), leave, open, order(String), ordered(Int), compare, clean(Int), joke(Int), cancel,
            refuse
    }

    struct Full: Error {}
    struct Closed: Error {}

    /// What is other than it was.
    enum Change: CaseIterable, Sendable {
        case stateField, optionalField, dictionaryKey, ignoredEvent, outcomeFails, outcomeSettles, otherError
        case extraEvent, stoppedEvent, replacedEvent, missingEffect, extraEffect, otherKey, otherTimer,
            missingTimer
        case otherInput, otherEndpoint, missingCall, extraCall, swappedAnswers, otherPolicy, missingInterim
        case extraInterim, otherInterim, effectEvent, missingCancel, synchronousTransition
    }

    var change: Change?

    let price = Endpoint<String, Int>("price") { Promise.value($0.count).delay(.milliseconds(2)) }
    let cost = Endpoint<String, Int>("cost") { Promise.value($0.count).delay(.milliseconds(1)) }

    init(_ change: Change? = nil) { self.change = change }

    func system(
        on scheduler: some SerialScheduler, from state: Tables = Tables(),
        _ configured: (System<Tables, Step>.Configuration) -> System<Tables, Step>.Configuration = { $0 }
    ) -> System<Tables, Step> {
        let pause = change == .otherPolicy ? 7 : 5
        return System(
            initialState: state, scheduler: scheduler, reducer: Reducer { reduce($0, $1) },
            feedbacks: feedbacks,
            middleware: middleware,
            configuration: configured(
                .init(
                    eventPolicy: {
                        if case .clean = $0 { .debounce(.milliseconds(pause), key: "clean") } else { .queue }
                    })))
    }

    /// Records a session of the unchanged program.
    static func record(by session: RecordedSession) async throws -> Recording {
        let scheduler = TestScheduler()
        let system = TeaRoom().system(on: scheduler) { $0.recorded(by: session.recorder, as: "tables") }
        let errors = system.onError { _ in }
        let events: [(TeaRoom.Step, milliseconds: Int)] = [
            (.enter(1), 1), (.enter(2), 1), (.refuse, 1), (.open, 6), (.order("tea"), 5), (.compare, 4),
            (.clean(1), 6), (.joke(4), 1), (.leave, 1), (.leave, 1), (.enter(3), 1),
        ]
        for (event, time) in events {
            system.sendEvent(event)
            scheduler.advance(by: .milliseconds(time))
        }
        withExtendedLifetime(errors) {}
        return try await session.recording()
    }

    private var middleware: Middleware<Tables, Step> {
        Middleware { event, context in
            guard case .joke(let number) = event else {
                if event == .enter(2), change == .extraEvent { context.sendEvent(.enter(0)) }
                if event == .enter(2), change == .stoppedEvent { return .stop }
                return .pass
            }
            return .replace(.enter(change == .replacedEvent ? 0 : number))
        }
    }

    private var feedbacks: [Feedback<Tables, Step>] {
        [
            .onEvent(
                { event -> String? in
                    switch event {
                    case .order(let name): change == .missingEffect ? nil : name
                    case .enter(2): change == .extraEffect ? "water" : nil
                    default: nil
                    }
                }, key: { _ in change == .otherKey ? "tea" : "order" }, policy: .replace
            ) { serve($0) },
            .whilePresent(
                state: { state -> Bool? in
                    state.note == "left" || state.note == "back" && change == .missingCancel ? true : nil
                }
            ) { _ in Effect { _ in } },
        ]
    }

    private func serve(_ name: String) -> Effect<Step> {
        let call = change == .otherEndpoint ? cost : price
        let found = call(change == .otherInput ? "mug" : name).map {
            Step.ordered(change == .effectEvent ? 0 : $0)
        }
        switch change {
        case .missingCall: return .promise(Promise.value(.ordered(3)).delay(.milliseconds(1)))
        case .missingTimer: return .promise(found)
        default: return .promise(found.delayStart(.milliseconds(change == .otherTimer ? 2 : 1)))
        }
    }

    private func reduce(_ state: Tables, _ event: Step) -> Promise<Tables> {
        var next = state
        switch event {
        case .enter(let count):
            if change == .ignoredEvent, count == 2 { break }
            if change == .outcomeFails, count == 2 { return Promise(error: Full()) }
            next.guests += change == .stateField && count == 2 ? 1 : count
            if change == .optionalField, count == 2 { next.note = "two" }
            next.prices[change == .dictionaryKey && count == 2 ? "x" : "all"] = count
        case .leave: next.note = state.note == nil ? "left" : "back"
        case .refuse where change == .outcomeSettles: break
        case .refuse: return Promise(error: change == .otherError ? Closed() as any Error : Full())
        case .open:
            next.opens = true
            let opening = next
            next.opens = false
            next.guests = 9
            if change == .synchronousTransition { return .value(next) }
            let opened = Promise.value(next).delay(.milliseconds(4))
            switch change {
            case .missingInterim: return opened
            case .extraInterim: return opened.interim(opening).interim(state)
            case .otherInterim: return opened.interim(state)
            default: return opened.interim(opening)
            }
        case .ordered(let price): next.orders.append(price)
        case .compare:
            let first = change == .extraCall ? cost("tea").flatMap { _ in price("tea") } : price("tea")
            return Promise.zip(first, price("lemon")).map { [next] tea, lemon in
                var next = next
                next.orders += change == .swappedAnswers ? [lemon, tea] : [tea, lemon]
                return next
            }
        case .clean(let count): next.orders = [count]
        case .order, .cancel, .joke: break
        }
        return .value(next)
    }
}
