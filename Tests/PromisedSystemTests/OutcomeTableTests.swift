import Dispatch
import PromisedSystem
import PromisedTesting
import Testing

/// Every way for a transition to end × every situation × every scheduler: no stuck queue, no loading state
/// left shown, no error unseen.
@Suite(.timeLimit(.minutes(10))) struct OutcomeTableTests {
    enum Way: String, CaseIterable {
        case rejects, throwsInBody, throwsInMap, abandons, neverSettles, settlesTwice
        /// By `cancel()` on the promise that the reducer returned; by `CancellationError` from its work.
        case isCancelled, cancelsItself
        case settlesElsewhere, failsElsewhere, sendsFromReducer, sendsFromBinding, sendsFromCallback
        case sendsFromBody

        var fails: Bool {
            [.rejects, .throwsInBody, .throwsInMap, .abandons, .neverSettles, .failsElsewhere].contains(self)
        }
        var isCancellation: Bool { self == .isCancelled || self == .cancelsItself }
        var settles: Bool { !fails && !isCancellation }
        var sends: Bool {
            [.sendsFromReducer, .sendsFromBinding, .sendsFromCallback, .sendsFromBody].contains(self)
        }
    }

    enum Place: String, CaseIterable { case main, serial, virtual }

    /// One cell of the table.
    private struct Stand {
        let name: String
        let way: Way
        let scheduler: any SerialScheduler
        let shown = Log<String>()
        let link = Box<@Sendable () -> StepSystem?>({ nil })
        /// Ends the transition; there once its work has begun.
        let finish = Box<(@Sendable () -> Void)?>(nil)
        /// Cancels the promise that the reducer returned.
        let cancel = Box<(@Sendable () -> Void)?>(nil)
        /// What `onError` heard, and how the turns ended.
        let errors = Log<String>()
        let outcomes = Log<String>()
        var system: StepSystem?

        init(_ way: Way, _ place: Place, _ situation: String, listens: Bool = false) {
            Reports.begin()
            name = "<\(way) \(situation) \(place) \(listens)>"
            self.way = way
            let limit: @Sendable (Step) -> Duration? = { [name] step in
                step.description == name && way == .neverSettles ? .milliseconds(1) : nil
            }
            let reducer: @Sendable (String, Step) -> Promise<String> = { $1.reduce($0) }
            switch place {
            case .main:
                scheduler = .main
                system = StepSystem(
                    initialState: "", scheduler: .main, timeLimit: limit, reducer: reducer)
            case .serial:
                let queue = QueueScheduler.serial(name)
                scheduler = queue
                system = StepSystem(
                    initialState: "", scheduler: queue, timeLimit: limit, reducer: reducer)
            case .virtual:
                let virtual = TestScheduler()
                scheduler = virtual
                system = StepSystem(
                    initialState: "", scheduler: virtual, timeLimit: limit, reducer: reducer)
            }
            system?.addBinding { [link, shown] in
                shown.add($0)
                if way == .sendsFromBinding, $0 == "L" { link.value()?.sendEvent(.add("e")) }
            }
            system?.addLoopCallback { [link] in
                if way == .sendsFromCallback, $0 == "L" { link.value()?.sendEvent(.add("e")) }
            }
            if listens { system?.onError { [errors] error in errors.add("\(error)") } }
            system?.onLoop { [outcomes] in outcomes.add("\($0.event) \(describe($0.outcome))") }
            link.value = { [weak system] in system }
        }

        /// The event of this cell; with `waits` its work does nothing until `finish` is called.
        func event(waits: Bool) -> Step {
            Step(name) { [name, way, link, finish, cancel] state in
                if way == .sendsFromReducer { link.value()?.sendEvent(.add("e")) }
                let work = Promise<String> { resolver in
                    let end: @Sendable () -> Void = {
                        if way == .isCancelled { cancel.exchange(nil)?() }
                        Self.end(way, resolver, state, name, link.value())
                    }
                    if waits {
                        finish.value = end
                    } else if way == .throwsInBody {
                        throw TestError(name)
                    } else {
                        end()
                    }
                }
                let mapped = work.map { value in
                    if way == .throwsInMap { throw TestError(name) }
                    return value
                }
                if way == .isCancelled { cancel.value = { mapped.cancel() } }
                return mapped.interim("L")
            }
        }

        private static func end(
            _ way: Way, _ resolver: Resolver<String>, _ state: String, _ name: String, _ system: StepSystem?
        ) {
            switch way {
            case .rejects, .throwsInBody: resolver.reject(TestError(name))
            case .abandons, .isCancelled: break
            case .neverSettles: forgotten.add(resolver)
            case .cancelsItself: resolver.reject(CancellationError())
            case .settlesTwice:
                resolver.fulfill(state + "x")
                resolver.fulfill("twice")
                resolver.reject(TestError(name))
            case .settlesElsewhere: DispatchQueue.global().async { resolver.fulfill(state + "x") }
            case .failsElsewhere: DispatchQueue.global().async { resolver.reject(TestError(name)) }
            case .sendsFromBody:
                system?.sendEvent(.add("e"))
                resolver.fulfill(state + "x")
            case .throwsInMap, .sendsFromReducer, .sendsFromBinding, .sendsFromCallback:
                resolver.fulfill(state + "x")
            }
        }

        private static let forgotten = Log<Resolver<String>>()

        /// Waits until the state has all these letters, in whatever order.
        func settles(_ letters: String) async {
            guard let system else { return }
            for await state in system.settled.values where state.sorted() == letters.sorted() { break }
            await scheduler.caughtUp()
        }
    }

    private func check(_ way: Way, _ place: Place, isQueued: Bool) async {
        await check(way, place, isQueued: isQueued, listens: false)
        await check(way, place, isQueued: isQueued, listens: true)
    }

    private func check(_ way: Way, _ place: Place, isQueued: Bool, listens: Bool) async {
        let stand = Stand(way, place, isQueued ? "queued" : "idle", listens: listens)
        let (gate, opening) = Promise<String>.pending()
        if isQueued { stand.system?.sendEvent(.wait(for: gate)) }
        stand.system?.sendEvent(stand.event(waits: false))
        stand.system?.sendEvent(.add("z"))
        if isQueued { opening.fulfill("q") }
        let letters = (isQueued ? "q" : "") + (way.settles ? "x" : "") + "z" + (way.sends ? "e" : "")
        if let virtual = stand.scheduler as? TestScheduler {
            // What another thread settles comes by itself; everything else is here after this.
            if way != .settlesElsewhere, way != .failsElsewhere { virtual.run() } else { virtual.advance() }
            await settledElsewhere(stand, virtual, letters)
        }
        await stand.settles(letters)
        let states = stand.shown.entries
        #expect(states.filter { $0 == "L" }.count == 1)
        #expect(states.last == stand.system?.state)
        if let loading = states.firstIndex(of: "L"), loading + 1 < states.count {
            let before = isQueued ? "q" : ""
            #expect(states[loading + 1] == (way.settles ? before + "x" : before))
        } else {
            Issue.record("The loading state was left shown: \(states)")
        }
        #expect(stand.system?.shown.value == .settled(stand.system?.state ?? "none"))
        // Seen exactly once: by whoever listens, else by the diagnostics; those leave cancellation out.
        #expect(stand.errors.count == (listens && !way.settles ? 1 : 0))
        #expect(Reports.about(stand.name).count == (way.fails && !listens ? 1 : 0))
        let ending = way.settles ? "settled" : way.isCancellation ? "cancelled" : "failed"
        #expect(stand.outcomes.entries.count { $0.hasPrefix("\(stand.name) \(ending)") } == 1)
        #expect(stand.outcomes.entries.contains("z settled"))
    }

    /// Under virtual time nobody drains by himself: moves on whenever another thread has settled.
    private func settledElsewhere(_ stand: Stand, _ virtual: TestScheduler, _ letters: String) async {
        while stand.system?.state.sorted() != letters.sorted() {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume() }
            }
            virtual.run()
        }
    }

    @Test("R13, PK-24: idle", arguments: Way.allCases, Place.allCases)
    func idle(way: Way, place: Place) async { await check(way, place, isQueued: false) }

    @Test("R13, PK-24: queued behind others", arguments: Way.allCases, Place.allCases)
    func queued(way: Way, place: Place) async { await check(way, place, isQueued: true) }

    @Test("R18, PK-33: the system is released in the middle", arguments: Way.allCases, Place.allCases)
    func released(way: Way, place: Place) async {
        var stand = Stand(way, place, "released")
        stand.system?.sendEvent(stand.event(waits: true))
        stand.system?.sendEvent(.add("z"))
        if let virtual = stand.scheduler as? TestScheduler { virtual.advance() }
        // A system of its time limit may be done with it before anybody looks.
        if let shown = stand.system?.shown.values {
            for await state in shown where state == .loading("L") { break }
        }
        await stand.scheduler.caughtUp()
        weak let system = stand.system
        stand.system = nil
        await stand.scheduler.caughtUp()
        #expect(system == nil)
        let before = stand.shown.entries
        let late = stand.finish.exchange(nil)
        late?()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
        }
        await stand.scheduler.caughtUp()
        #expect(stand.shown.entries == before)
        // Only under virtual time is it sure that the limit has not passed before.
        if way != .neverSettles || place == .virtual {
            #expect(late != nil)
            #expect(before == ["", "L"])
            #expect(Reports.about(stand.name).isEmpty)
        }
    }
}
