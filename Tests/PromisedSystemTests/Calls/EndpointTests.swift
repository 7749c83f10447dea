import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Calls of endpoints where nothing hosts them: each is like a call of the function.
@Suite struct EndpointTests {
    private struct SoldOut: Error {}

    private let log = Log<String>()
    private let scheduler = TestScheduler()
    /// Of the calls that are never answered.
    private let open = Log<Resolver<Int>>()

    /// Writes down when it is called and cancelled, and whether that is on the scheduler; never answers "never".
    private var price: Endpoint<String, Int> {
        Endpoint("price") { [log, scheduler, open] name in
            log.add("made \(name)")
            return Promise { resolver in
                log.add("\(name) \(scheduler.isCurrent)")
                resolver.onCancel { log.add("cancelled \(name)") }
                if name == "none" { throw SoldOut() }
                resolver.report(name.count - 1)
                if name == "never" { open.add(resolver) } else { resolver.fulfill(name.count) }
            }
        }
    }

    @Test("a call begins when its promise is started, and once for all observers") func lazy() {
        let promise = price("tea")
        let other = promise.map { $0 + 1 }
        #expect(log.entries.isEmpty)
        other.start()
        promise.start()
        #expect(log.entries == ["made tea", "tea false"])
        #expect(try! promise.result?.get() == 3 && other.result?.get() == 4)
        price("tea").start()
        #expect(log.count == 4)
    }

    @Test("a call begins on the scheduler on which its promise is started") func scheduled() {
        let promise = price("tea").start(on: scheduler)
        #expect(log.entries.isEmpty)
        scheduler.advance()
        #expect(log.entries == ["made tea", "tea true"])
        #expect(try! promise.result?.get() == 3)
    }

    @Test("a call inherits the scheduler of the chain that it is a part of") func inherited() throws {
        let delayed = Endpoint("delayed") { (name: String) in
            Promise.value(name.count).delay(.seconds(1))
        }
        let total = Promise.value("tea").flatMap { delayed($0) }.flatMap {
            delayed(String(repeating: "x", count: $0))
        }
        .start(on: scheduler)
        scheduler.advance(by: .seconds(1))
        #expect(total.result == nil)
        scheduler.advance(by: .seconds(1))
        #expect(try total.result?.get() == 3)
    }

    @Test("a call that is cancelled before its start never begins") func cancelledBefore() {
        let promise = price("tea")
        promise.cancel()
        promise.start()
        price("mug").start(on: scheduler).cancel()
        scheduler.advance()
        #expect(log.entries.isEmpty)
    }

    @Test("cancelling a call cancels the promise of the function, unless something else waits for that")
    func cancelledAfter() {
        price("never").start().cancel()
        #expect(log.take() == ["made never", "never false", "cancelled never"])
        let shared = price("never")
        let endpoint = Endpoint("shared") { shared }
        let calls = [endpoint(), endpoint()].map { $0.start() }
        calls[0].cancel()
        #expect(log.take() == ["made never", "never false"])
        calls[1].cancel()
        #expect(log.take() == ["cancelled never"])
    }

    @Test("a call delivers the interim values of the function's promise, the leading ones too") func interim()
    {
        let values = Log<Int>()
        price("tea").onInterim { values.add($0) }.done { values.add($0) }
        let loading = Endpoint("loading") { self.price("tea").interim(0) }
        loading().onInterim { values.add($0) }.done { values.add($0) }
        #expect(values.entries == [2, 3, 0, 2, 3])
    }

    @Test("an error of the function is the error of the call") func error() {
        #expect(throws: SoldOut.self) { try price("none").start().result?.get() }
        let failing = Endpoint<String, Int>("failing") { _ in throw SoldOut() }
        let promise = failing("tea").start(on: scheduler)
        scheduler.advance()
        #expect(throws: SoldOut.self) { try promise.result?.get() }
    }

    @Test("an async function runs on the scheduler of the chain, and is cancelled with the call") func async()
        throws
    {
        let (gate, resolver) = Promise<Int>.pending()
        defer { resolver.fulfill(1) }
        let waiting = Endpoint("waiting") { [log, scheduler] (name: String) in
            log.add("\(name) \(scheduler.isCurrent)")
            if name == "tea" { return 3 }
            do { return try await gate.value } catch {
                log.add("\(type(of: error))")
                throw error
            }
        }
        let tea = waiting("tea").start(on: scheduler)
        let mug = waiting("mug").start(on: scheduler)
        scheduler.advance()
        #expect(try tea.result?.get() == 3)
        mug.cancel()
        scheduler.advance()
        #expect(log.entries == ["tea true", "mug true", "CancellationError"])
        scheduler.finish()
    }

    @Test("open async work is named by the place of its call") func place() {
        let (gate, resolver) = Promise<Int>.pending()
        defer { resolver.fulfill(1) }
        let waiting = Endpoint("waiting") { (_: String) in try await gate.value }
        let call = waiting("tea").start(on: scheduler)
        let line = #line - 1
        scheduler.advance()
        #expect(scheduler.openAsyncWork.map(\.line) == [line])
        call.cancel()
        scheduler.advance()
    }

    @Test("a call takes no input, one or several, or all of them as a tuple") func inputs() throws {
        let shop = TeaShop.live()
        let pair = ("tea", 2)
        let calls = [shop.buy("tea", 2), shop.buy(pair)].map { $0.start(on: scheduler) }
        let stock = [shop.stock(), shop.stock(())].map { $0.start() }
        scheduler.run()
        #expect(try calls.map { try $0.result?.get() } == ["2 tea", "2 tea"])
        #expect(try stock.map { try $0.result?.get() } == [["mug", "tea"], ["mug", "tea"]])
    }

    @Test("a promise of a call that waits for itself is rejected") func cycle() {
        let own = Box<Promise<Int>?>(nil)
        let endpoint = Endpoint("own") { own.value ?? .value(1) }
        own.value = endpoint()
        #expect(throws: PromiseError.self) { try own.value?.start().result?.get() }
        own.value = nil
    }

    @Test("a function that loses its resolver rejects the call, and names the function's place")
    func abandoned() {
        let lost = Endpoint("lost") { Promise<Int> { _ in } }
        let line = #line - 1
        let promise = lost().start()
        #expect { try promise.result?.get() } throws: { error in
            if case .abandoned(let origin)? = error as? PromiseError { origin.line == line } else { false }
        }
    }

    @Test("what a call captures is released when it has ended, or is cancelled before it begins")
    func released() {
        final class Captured: Sendable {}
        weak var captured: Captured?
        var promises: [Promise<Int>] = []
        do {
            let object = Captured()
            captured = object
            let endpoint = Endpoint("captures") { (_: Captured) in Promise.value(1) }
            promises = [endpoint(object), endpoint(object)]
        }
        #expect(captured != nil)
        promises[0].start()
        promises[1].cancel()
        #expect(captured == nil)
    }
}
