import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

/// The cart in view is the one that is stored, also where a change of it did not end as it should.
@Suite struct StoredCartTests {
    private let disk = TestScheduler()

    /// A page whose cart is really on a disk, which does something only when it is told to.
    private func stage(
        _ folder: borrowing TemporaryFolder, failingAt step: AtomicFile.Step? = nil
    ) -> PageStage {
        var store = CartStore(path: folder.file("cart.json"))
        store.beforeStep = { now throws(AtomicFile.Failure) in
            if now == step { throw AtomicFile.Failure(reason: "no more") }
        }
        var effects = FakeShop().effects
        effects.cart = { [disk, store] in Promise(on: disk) { _ in try store.load() } }
        effects.changeCart = { [disk, store] change in
            Promise(on: disk) { try store.change(unless: $0, change) }
        }
        return PageStage(effects)
    }

    /// Lets everything come to rest, on both, in no time.
    private func rest(_ stage: PageStage) {
        for _ in 1...3 {
            stage.scheduler.advance()
            disk.run()
        }
        stage.scheduler.advance()
    }

    @Test("what was stored before it could be cancelled comes into view, and Esc does not wait for it")
    func cancelledTooLate() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder)
        stage.send(.load)
        rest(stage)
        stage.send(.add)
        stage.scheduler.advance()
        stage.send(.cancel)
        disk.run()
        stage.scheduler.advance()
        #expect(stage.shown.suffix(3) == ["loading A 0", "loading A 0", "loaded A 0"])
        rest(stage)
        #expect(stage.shown.suffix(2) == ["loaded A 0", "loaded A 1"])
        disk.finish()
    }

    @Test("where it was cancelled in time nothing is shown twice")
    func cancelledInTime() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder)
        let outcomes = Mutex<[String]>([])
        stage.page.onLoop { record in outcomes.withLock { $0.append("\(record.event): \(record.outcome)") } }
        stage.send(.load)
        rest(stage)
        stage.send(.add)
        stage.scheduler.advance()
        stage.send(.cancel)
        rest(stage)
        #expect(
            stage.shown == ["start", "loading", "loaded A 0", "loading A 0", "loading A 0", "loaded A 0"])
        #expect(
            outcomes.withLock { $0 } == [
                "load: settled", "add: cancelled", "cancel: settled",
                "stored(ProductPage.Cart(lines: [])): stopped",
            ])
        #expect(try folder.names() == [])
        disk.finish()
    }

    @Test("a change that fails when it is stored already comes into view, under the error")
    func failedTooLate() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder, failingAt: .syncFolder)
        stage.send(.load, .add)
        rest(stage)
        #expect(stage.shown.suffix(3) == ["loading A 0", "failed A 0", "failed A 1"])
        #expect(stage.lines.last?.hasSuffix("cannot be saved: no more") == true)
        stage.send(.remove)
        rest(stage)
        #expect(stage.shown.suffix(3) == ["loading A 1", "failed A 1", "failed A 0"])
        disk.finish()
    }

    @Test("one that fails before leaves the page as it was, told once")
    func failedInTime() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder, failingAt: .write)
        stage.send(.load, .add)
        rest(stage)
        #expect(stage.shown == ["start", "loading", "loaded A 0", "loading A 0", "failed A 0"])
        disk.finish()
    }

    @Test("a cart that cannot be read is no second error")
    func unreadable() {
        var effects = FakeShop().effects
        let isBroken = Mutex(false)
        let broken = PageError.cart(path: "c", reason: "is newer")
        effects.cart = { isBroken.withLock { $0 } ? Promise(error: broken) : .value(Cart()) }
        effects.changeCart = { _ in Promise(error: broken) }
        let stage = PageStage(effects)
        let errors = Mutex(0)
        stage.page.onError { _ in errors.withLock { $0 += 1 } }
        stage.play(.load)
        isBroken.withLock { $0 = true }
        stage.play(.add)
        #expect(stage.shown == ["start", "loading", "loaded A 0", "loading A 0", "failed A 0"])
        #expect(errors.withLock { $0 } == 0)
    }

    @Test("what was read before the next change is out of date, even while it waits for its turn")
    func outOfDate() {
        let (cart, reading) = Promise<Cart>.pending()
        let (change, changing) = Promise<Cart>.pending()
        var effects = FakeShop().effects
        let reads = Mutex([Promise.value(Cart()), cart])
        effects.cart = { reads.withLock { $0.removeFirst() } }
        effects.changeCart = { _ in change }
        let stage = PageStage(effects)
        stage.play(.load)
        stage.play(.cancel)
        stage.send(.add)
        stage.scheduler.advance()
        #expect(reads.withLock { $0.isEmpty })
        reading.fulfill(Cart(lines: [.threeC]))
        stage.scheduler.advance()
        changing.fulfill(Cart(lines: [.oneB]))
        stage.scheduler.run()
        #expect(stage.shown.suffix(3) == ["loaded A 0", "loading A 0", "added A 1"])
    }

    @Test("it keeps nobody waiting: a session is at rest when what was asked for is done")
    func session() throws {
        let folder = try TemporaryFolder()
        let stage = stage(folder)
        let session = Session(
            stage.page, console: Console(data: { _ in }, talk: { _ in }, isWatched: false))
        session.send(.load)
        rest(stage)
        session.send(.add)
        stage.scheduler.advance()
        session.send(.cancel)
        disk.run()
        stage.scheduler.advance()
        #expect(session.rest().start().result != nil)
        rest(stage)
        #expect(stage.shown.last == "loaded A 1")
        session.send(.refresh)
        let resting = session.rest().start()
        #expect(resting.result == nil)
        rest(stage)
        #expect(resting.result != nil)
        disk.finish()
    }
}
