import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// R27: every failure of the kit names the place of the call that has failed, on every path of an overload set.
@Suite struct FailurePlaceTests {
    struct Failed: Error, Equatable {}
    enum Event: Sendable, Equatable { case start, loaded }

    typealias Test = TestSystem<Int, Event>
    private static let file: StaticString = "Shop/ShopTests.swift"
    private static let path: StaticString = "/shop/ShopTests.swift"

    private static func make() -> Test {
        Test(initialState: 0) { count, _ in .value(count) }
    }

    private static func endless(_ interval: Duration) -> TestScheduler {
        let scheduler = TestScheduler()
        @Sendable func again() {
            scheduler.schedule(after: interval) { [unowned scheduler] in
                _ = scheduler; again()
            }
        }
        again()
        return scheduler
    }

    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let make: @Sendable () async -> Void

        init(_ name: String, _ text: String, _ make: @escaping @Sendable () async -> Void) {
            (testDescription, self.text, self.make) = (name, text, make)
        }
    }

    static let calls: [Call] = [
        Call("send", "Expected the state to change after start") {
            make().send(.start, fileID: file, filePath: path, line: 7, column: 3) { $0 = 1 }
        },
        Call("receive", "Expected to receive loaded, but") {
            make().receive(.loaded, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("receive where", "Expected to receive an event that the closure accepts, but") {
            make().receive(where: { $0 == .loaded }, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("receive failure", "Expected to receive the failure Failed(), but") {
            make().receiveFailure(Failed(), fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("receive failure of type", "Expected to receive a failure of type Failed, but") {
            make().receiveFailure(Failed.self, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("receive failure where", "Expected to receive a failure that the closure accepts, but") {
            make().receiveFailure(where: { $0 is Failed }, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("assert", "Expected the state to change, but") {
            make().assert(fileID: file, filePath: path, line: 7, column: 3) { $0 = 1 }
        },
        Call("assert part", "A part of the state is not as expected") {
            make().assert(\.magnitudeItself, 1, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("skip", "Expected an effect to skip") {
            make().skipRunningWork(fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("after async work", "Expected to receive loaded, but") {
            let test = make()
            await test.afterAsyncWork {
                test.receive(.loaded, fileID: file, filePath: path, line: 7, column: 3)
            }
        },
        Call("release", "A settled state was not asserted") {
            let test = Test(
                initialState: 0, feature: Feature(reducer: Reducer { count, _ in count += 1 }), fileID: file,
                filePath: path, line: 7, column: 3)
            test.send(.start)
        },
        Call("release, asynchronous reducer", "A settled state was not asserted") {
            let test = Test(initialState: 0, fileID: file, filePath: path, line: 7, column: 3) { count, _ in
                .value(count + 1)
            }
            test.send(.start)
        },
        Call("another scheduler", "The system runs on another scheduler") {
            let system = System<Int, Event>(
                initialState: 0, scheduler: .immediate, reducer: Reducer { _, _ in })
            _ = Test(system, on: TestScheduler(), fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("another scheduler, scoped", "The system runs on another scheduler") {
            let system = System<Int, Event>(
                initialState: 0, scheduler: .immediate, reducer: Reducer { _, _ in })
            _ = Test(
                system, scopedBy: .identity(), on: TestScheduler(), fileID: file, filePath: path, line: 7,
                column: 3)
        },
        Call("finish", "A settled state was not asserted") {
            let test = Test(initialState: 0) { count, _ in .value(count + 1) }
            test.send(.start)
            test.finish(fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("run", "The scheduler moved the clock 5 times") {
            let test = Test(
                initialState: 0, feature: Feature(), scheduler: endless(.seconds(1)))
            test.run(limit: 5, fileID: file, filePath: path, line: 7, column: 3)
            test.scheduler.discard()
        },
        Call("advance", "The scheduler ran 100000 work items") {
            let scheduler = TestScheduler()
            let test = Test(initialState: 0, feature: Feature(), scheduler: scheduler)
            @Sendable func again() { scheduler.schedule { again() } }
            again()
            test.advance(fileID: file, filePath: path, line: 7, column: 3)
            scheduler.discard()
        },
        Call("scheduler run", "The scheduler moved the clock 5 times") {
            let scheduler = endless(.seconds(1))
            scheduler.run(limit: 5, fileID: file, filePath: path, line: 7, column: 3)
            scheduler.discard()
        },
        Call("scheduler advance by", "The scheduler ran 100000 work items") {
            let scheduler = endless(.zero)
            scheduler.advance(fileID: file, filePath: path, line: 7, column: 3)
            scheduler.discard()
        },
        Call("scheduler advance to", "The scheduler ran 100000 work items") {
            let scheduler = endless(.zero)
            scheduler.advance(to: .seconds(1), fileID: file, filePath: path, line: 7, column: 3)
            scheduler.discard()
        },
        Call("scheduler finish", "1 async work still open") {
            let scheduler = TestScheduler()
            scheduler.asyncWorkLimit = .zero
            let (gate, resolver) = Promise<Int>.pending()
            Promise { try await gate.value }.start(on: scheduler)
            scheduler.finish(fileID: file, filePath: path, line: 7, column: 3)
            resolver.fulfill(1)
            scheduler.advance()
        },
        Call("play", "A tick of") {
            TestScheduler().play(
                .expect("1", of: Promise.value(1)), tick: .zero, fileID: file, filePath: path, line: 7,
                column: 3)
        },
        Call("play, endless", "The scheduler ran 100000 work items") {
            let scheduler = endless(.zero)
            scheduler.play(
                .expect("(1|)", of: Promise.value(1)), fileID: file, filePath: path, line: 7, column: 3)
            scheduler.discard()
        },
        Call("fulfill", "\"price\" cannot be fulfilled") {
            Stub<Int, Int>("price").fulfill(1, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("reject", "\"price\" cannot be rejected") {
            Stub<Int, Int>("price").reject(Failed(), fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("report", "\"price\" cannot report an interim value") {
            Stub<Int, Int>("price").report(1, fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("finish stub", "Expected no call of \"price\" to be open") {
            let stub = Stub<Int, Int>("price")
            stub(1).start()
            stub.finish(fileID: file, filePath: path, line: 7, column: 3)
        },
        Call("unimplemented", "\"price\" was called") {
            let price: @Sendable (Int) -> Promise<Int> = unimplemented(
                "price", fileID: file, filePath: path, line: 7, column: 3)
            price(1).catch { _ in }
        },
        Call("laws", "Nothing was tried") {
            checkLaws([], fileID: file, filePath: path, line: 7, column: 3)
        },
    ]

    @Test("a failure names the place of the call that has failed, once", arguments: calls) func place(
        call: Call
    ) async {
        let reports = await TestReport.collect { await call.make() }
        #expect(reports.map { $0.message.prefix(call.text.count) } == [call.text[...]])
        let report = reports.first
        #expect(report?.fileID == "Shop/ShopTests.swift" && report?.filePath == "/shop/ShopTests.swift")
        #expect(report?.line == 7 && report?.column == 3)
    }
}

extension Int {
    fileprivate var magnitudeItself: Int {
        get { self }
        set { self = newValue }
    }
}
