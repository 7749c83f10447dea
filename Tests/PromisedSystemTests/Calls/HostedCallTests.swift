import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Calls of endpoints on a scheduler whose host answers them: a recording of what happens, and its replay.
@Suite(.tags(.sharedState)) struct HostedCallTests {
    private typealias Page = System<TeaShop.State, TeaShop.Event>

    enum Place: CaseIterable, Sendable { case main, serial, virtual }

    private func scheduler(_ place: Place) -> any SerialScheduler {
        switch place {
        case .main: .main
        case .serial: .serial("calls")
        case .virtual: TestScheduler()
        }
    }

    /// Opens the page, buys something, and returns the last state.
    private func session(_ shop: TeaShop, on scheduler: HostedScheduler) async -> TeaShop.State {
        let page = Page(initialState: .init(), scheduler: scheduler, feature: shop.page)
        let states = Log<TeaShop.State>()
        page.addLoopCallback { states.add($0) }
        page.sendEvent(.open)
        await reach(page, scheduler) { $0.price != nil || $0.problem != nil }
        page.sendEvent(.buy(2))
        await reach(page, scheduler) { $0.bought != nil || $0.problem != nil }
        return page.state
    }

    private func reach(
        _ page: Page, _ scheduler: HostedScheduler, _ isIt: @escaping @Sendable (TeaShop.State) -> Bool
    ) async {
        if let virtual = scheduler.base as? TestScheduler { return virtual.run() }
        await page.settled(isIt)
    }

    @Test(
        "one client is called live, recorded and replayed, from async work and from a reducer",
        arguments: Place.allCases)
    func modes(place: Place) async {
        let called = Log<String>()
        let shop = TeaShop.live { called.add($0) }
        let recording = RecordingHost()
        let end = TeaShop.State(stock: ["mug", "tea"], price: 3, bought: "2 mug")
        #expect(await session(shop, on: HostedScheduler(scheduler(place), recording)) == end)
        #expect(called.take() == ["stock", "find", "buy"])
        #expect(
            recording.log.entries == [
                "stock ()", #"stock (): ["mug", "tea"]"#, "find mug", "find mug: 3", #"buy ("mug", 2)"#,
                #"buy ("mug", 2): 2 mug"#,
            ])

        let replay = ReplayingHost(recording.answers.entries)
        #expect(await session(shop, on: HostedScheduler(scheduler(.virtual), replay)) == end)
        #expect(called.entries.isEmpty && replay.unknown.entries.isEmpty)
    }

    @Test("a call that the replay does not know fails there, and is not made") func unknown() async {
        let called = Log<String>()
        let replay = ReplayingHost([RecordedAnswer(call: "stock ()", result: .success(["lamp"]))])
        let scheduler = HostedScheduler(TestScheduler(), replay)
        let page = Page(
            initialState: .init(), scheduler: scheduler, feature: TeaShop.live { called.add($0) }.page)
        page.sendEvent(.open)
        (scheduler.base as? TestScheduler)?.run()
        #expect(page.state.problem == "NotRecorded()")
        #expect(replay.unknown.entries == ["find lamp"] && called.entries.isEmpty)
    }

    @Test(
        "async work goes on where it would without a host, and what it starts inherits the scheduler of its work"
    )
    func asyncWork() async throws {
        for base in [.serial("async"), .main, TestScheduler()] as [any SerialScheduler] {
            let scheduler = HostedScheduler(base, RecordingHost())
            let seen = Log<Bool>()
            let work = Promise {
                seen.add(base.isCurrent && inheritedScheduler === scheduler)
                try await Promise<Void>.value(()).delay(.milliseconds(1)).value
                seen.add(base.isCurrent && inheritedScheduler === scheduler)
                return await elsewhere()
            }
            work.start(on: scheduler)
            if let virtual = base as? TestScheduler { virtual.run() }
            _ = try await work.value
            #expect(seen.entries == [true, true])
        }
    }

    @Test("a hosted call can be cancelled before its start, where the host is not asked, and after it")
    func cancelled() {
        let host = RecordingHost()
        let virtual = TestScheduler()
        let scheduler = HostedScheduler(virtual, host)
        let shop = TeaShop.live()
        let calls = [shop.buy("tea", 1), shop.buy("mug", 1)].map { $0.start(on: scheduler) }
        calls[0].cancel()
        virtual.advance()
        calls[1].cancel()
        virtual.run()
        #expect(host.log.entries == [#"buy ("mug", 1)"#, #"buy ("mug", 1): cancelled"#])
        #expect(virtual.pendingCount == 0)
    }

    @Test("a hosted call delivers interim values before its outcome") func interim() {
        let host = RecordingHost()
        let virtual = TestScheduler()
        let values = Log<String>()
        let counting = Endpoint("counting") { (end: Int) in
            Promise<String> { resolver in
                for number in 1..<end { resolver.report("\(number)") }
                resolver.fulfill("\(end)")
            }
        }
        let call = counting(3).onInterim { values.add("\($0)?") }
        call.done { values.add($0) }
        // The first observer has started it without a scheduler: nothing hosts it.
        #expect(values.take() == ["1?", "2?", "3"] && host.log.entries.isEmpty)

        virtual.schedule {
            inheriting(HostedScheduler(virtual, host)) {
                _ = counting(3).onInterim { values.add("\($0)?") }.done { values.add($0) }
            }
        }
        virtual.advance()
        #expect(values.entries == ["1?", "2?", "3"])
        #expect(host.log.entries == ["counting 3", "counting 3: 1?", "counting 3: 2?", "counting 3: 3"])
    }

    @Test("the error of a hosted call arrives, and its type is known to the host") func error() {
        let host = RecordingHost()
        let virtual = TestScheduler()
        let call = TeaShop.live().find("lamp").start(on: HostedScheduler(virtual, host))
        virtual.run()
        #expect(throws: TeaShop.SoldOut.self) { try call.result?.get() }
        #expect(host.log.entries == ["find lamp", "find lamp: sold out"])
        #expect(host.failing.entries == ["SoldOut"])
    }
}

/// Outside of the scheduler.
@concurrent private func elsewhere() async -> Int { 1 }
