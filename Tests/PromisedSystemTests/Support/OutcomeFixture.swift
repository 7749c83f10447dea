import Dispatch
import PromisedSystem
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// The ways for a transition to end.
enum Way: String, CaseIterable {
    case rejects, throwsInBody, throwsInMap, abandons, neverSettles, settlesTwice
    /// Cancelled from outside: the promise that the reducer returned, or the work behind it that others share.
    case isCancelled, sharedIsCancelled
    /// Its work ends with a `CancellationError`.
    case cancelsItself
    case settlesElsewhere, failsElsewhere, sendsFromReducer, sendsFromBinding, sendsFromCallback
    case sendsFromBody

    var fails: Bool {
        isCancellation
            || [.rejects, .throwsInBody, .throwsInMap, .abandons, .neverSettles, .failsElsewhere].contains(
                self)
    }
    /// Whether it fails with a `CancellationError`.
    var isCancellation: Bool { isCancelledFromOutside || self == .cancelsItself }
    var isCancelledFromOutside: Bool { self == .isCancelled || self == .sharedIsCancelled }
    var settles: Bool { !fails }
    var sends: Bool {
        [.sendsFromReducer, .sendsFromBinding, .sendsFromCallback, .sendsFromBody].contains(self)
    }
}

/// One cell of the table of outcomes: a system, an event that ends in one way, and everything that the system reports.
struct OutcomeFixture {
    enum Place: String, CaseIterable { case main, serial, virtual }

    /// In the name of the event and of its error, so that another cell's report is not taken for this one's.
    let name: String
    let way: Way
    let scheduler: any SerialScheduler
    let shown = Log<String>()
    /// The errors that `onError` received.
    let errors = Log<String>()
    let records = Log<LoopRecord<String, Step>>()
    /// How often the work's cancellation handler was called.
    let cancels = Log<Void>()
    /// Cancels what this way cancels; set once the reducer was called.
    let cancel = Box<(@Sendable () -> Void)?>(nil)
    /// Ends suspended work; set once it has started.
    let finish = Box<(@Sendable () -> Void)?>(nil)
    /// Empty when every other thread that settles has done so.
    let elsewhere = DispatchGroup()
    var system: StepSystem?
    /// The number of reports before this cell was set up.
    private let earlier: Int

    private let link = Box<@Sendable () -> StepSystem?>({ nil })
    /// Retains the resolvers that never settle, as long as this cell.
    private let keeper = Keeper()
    /// The line at which this cell's promises claim to be made, which identifies a report of abandonment.
    private let line = Self.lines.add(1, ordering: .relaxed).newValue
    private static let lines = Atomic<UInt>(20_000)

    /// - Parameter limit: The time limit of the event if it never settles.
    init(_ way: Way, _ place: Place, _ situation: String, listens: Bool, limit: Duration) {
        Reports.begin()
        earlier = Reports.count
        let name = "<\(way) \(situation) \(place) \(listens)>"
        let virtual = TestScheduler()
        self.name = name
        self.way = way
        scheduler =
            switch place {
            case .main: .main
            case .serial: .serial(name)
            case .virtual: virtual
            }
        let system = StepSystem(
            initialState: "", scheduler: scheduler,
            configuration: .init(timeLimit: { $0.description == name && way == .neverSettles ? limit : nil }),
            reducer: { $1.reduce($0) })
        link.value = { [weak system] in system }
        self.system = system
        system.addBinding { [link, shown] in
            shown.add($0)
            if way == .sendsFromBinding, $0 == "L" { link.value()?.sendEvent(.add("e")) }
        }
        system.addLoopCallback { [link] in
            if way == .sendsFromCallback, $0 == "L" { link.value()?.sendEvent(.add("e")) }
        }
        if listens { system.onError { [errors] error in errors.add("\(error)") } }
        system.onLoop { [records] in records.add($0) }
    }

    /// The event of this cell; with `waits` its work is suspended until `finish` is called.
    func event(waits: Bool) -> Step {
        Step(name) { [name, way, link, finish, cancel, cancels, line, elsewhere, keeper] state in
            if way == .sendsFromReducer { link.value()?.sendEvent(.add("e")) }
            let work = Promise<String>(
                { resolver in
                    resolver.onCancel { cancels.add(()) }
                    let end: @Sendable () -> Void = {
                        let ending = Ending(
                            way: way, state: state, error: TestError(name), elsewhere: elsewhere,
                            keeper: keeper)
                        ending.apply(to: resolver, link.value())
                    }
                    if waits {
                        finish.value = end
                    } else if way == .throwsInBody {
                        throw TestError(name)
                    } else {
                        end()
                    }
                }, line: line)
            let mapped = work.map(
                { value in
                    if way == .throwsInMap { throw TestError(name) }
                    return value
                }, line: line)
            let returned = mapped.interim("L")
            cancel.value = { way == .sharedIsCancelled ? work.cancel() : returned.cancel() }
            return returned
        }
    }

    /// The reports about this cell, by the system or by a promise; without those of a long transition, which can occur
    /// on a busy machine.
    var reports: [PromiseDiagnostics.Report] {
        (Reports.about(name, after: earlier) + Reports.of(Origin(#fileID, line))).filter {
            if case SystemProblem.longTransition = $0.problem { false } else { true }
        }
    }

    /// The errors that must be handled or reported, one entry for each.
    var expectedErrors: [String] {
        switch way {
        case .abandons: ["\(PromiseError.abandoned(Origin(#fileID, line)))"]
        case _ where way.isCancellation: ["\(CancellationError())"]
        default: way.fails ? [name] : []
        }
    }

    /// Waits until the loading state was shown.
    func loads() async {
        guard let shown = system?.shown.values else { return }
        if let virtual = scheduler as? TestScheduler { virtual.advance() }
        for await state in shown where state == .loading("L") { break }
        await scheduler.caughtUp()
    }

    /// Waits until the state has all these letters, in any order.
    func settles(_ letters: String) async {
        guard let system else { return }
        for await state in system.settled.values where state.sorted() == letters.sorted() { break }
        await scheduler.caughtUp()
    }

    /// Waits until other threads have settled their promises.
    func settlesElsewhere() async {
        await withCheckedContinuation { continuation in
            elsewhere.notify(queue: .global()) { continuation.resume() }
        }
    }
}

/// How the work of a cell ends.
private struct Ending {
    let way: Way
    let state: String
    let error: TestError
    let elsewhere: DispatchGroup
    let keeper: Keeper

    func apply(to resolver: Resolver<String>, _ system: StepSystem?) {
        switch way {
        case .rejects, .throwsInBody: resolver.reject(error)
        case .abandons: break
        case .neverSettles, .isCancelled, .sharedIsCancelled: keeper.resolvers.add(resolver)
        case .cancelsItself: resolver.reject(CancellationError())
        case .settlesTwice:
            resolver.fulfill(state + "x")
            resolver.fulfill("twice")
            resolver.reject(error)
        case .settlesElsewhere:
            DispatchQueue.global().async(group: elsewhere) { resolver.fulfill(state + "x") }
        case .failsElsewhere:
            DispatchQueue.global().async(group: elsewhere) { [error] in resolver.reject(error) }
        case .sendsFromBody:
            system?.sendEvent(.add("e"))
            resolver.fulfill(state + "x")
        case .throwsInMap, .sendsFromReducer, .sendsFromBinding, .sendsFromCallback:
            resolver.fulfill(state + "x")
        }
    }
}
