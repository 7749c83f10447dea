import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

@Suite(.timeLimit(.minutes(10))) struct CartLockTests {
    /// Another program's lock on a folder, kept until it is let go of.
    private final class Lock {
        private let descriptor: Int32

        init(_ folder: String) {
            descriptor = open(folder, O_RDONLY)
            #expect(flock(descriptor, LOCK_EX) == 0)
        }

        deinit { close(descriptor) }
    }

    /// A disk that says when work on it begins.
    private final class Disk: SerialScheduler {
        private let base = QueueScheduler.serial("disk")
        let begins: AsyncStream<Void>
        private let began: AsyncStream<Void>.Continuation

        init() { (begins, began) = AsyncStream.makeStream(of: Void.self) }

        var now: Duration { base.now }
        var isCurrent: Bool { base.isCurrent }

        func schedule(_ work: @escaping @Sendable () -> Void) { base.schedule(work) }

        func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledWork {
            base.schedule(after: delay) { [began] in
                began.yield()
                work()
            }
        }
    }

    @Test("a lock that another program keeps ends a change with an error, and not with waiting")
    func lockedForGood() throws {
        let folder = try TemporaryFolder()
        var lock = Optional(Lock(folder.path))
        let file = AtomicFile(path: folder.file("cart.json"), patience: .zero)
        let busy = AtomicFile.Failure(reason: "another program is changing it; try again")
        #expect(throws: busy) { try file.locked(unless: { false }) { Issue.record("it is locked") } }
        lock = nil
        _ = lock
        #expect(throws: Never.self) { try file.locked(unless: { true }) {} }
    }

    @Test("what is cancelled while it waits for the lock ends at once")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        let lock = Lock(folder.path)
        var asked = 0
        func isCancelled() -> Bool {
            asked += 1
            return asked % 3 == 0
        }
        // It would have all the time in the world.
        let file = AtomicFile(path: folder.file("cart.json"), patience: .seconds(3600))
        #expect(throws: AtomicFile.Failure(reason: "cancelled")) {
            try file.locked(unless: isCancelled) { Issue.record("it is locked") }
        }
        let store = CartFile(path: file.path)
        #expect(throws: PageError.cart(path: file.path, reason: "cannot be saved: cancelled")) {
            try store.change(unless: isCancelled) { _ in Issue.record("it is locked") }
        }
        #expect(asked == 6)
        withExtendedLifetime(lock) {}
    }

    @Test(
        "Esc answers at once while another program has the lock: what waited for it no longer keeps the disk",
        arguments: ["change", "read"])
    func escape(waiting: String) async throws {
        // A damaged cart is read under the lock.
        let folder = try TemporaryFolder(waiting == "read" ? ["cart.json": "{"] : [:])
        let lock = Lock(folder.path)
        let disk = Disk()
        let store = CartFile(path: folder.file("cart.json"), disk: disk, patience: .seconds(3600))
        let scheduler = TestScheduler()
        let work = waiting == "read" ? store.cart().map { _ in } : store.change(.add(.oneA)).map { _ in }
        let run = work.start(on: scheduler)
        scheduler.run()
        for await _ in disk.begins { break }
        run.cancel()
        // If the lock were waited for all the same, the suite's time limit would end this.
        await withCheckedContinuation { continuation in disk.schedule { continuation.resume() } }
        #expect(try folder.names() == (waiting == "read" ? ["cart.json"] : []))
        withExtendedLifetime(lock) {}
    }

    @Test("while the cart is changed its folder is locked, and it can be read")
    func lock() throws {
        let folder = try TemporaryFolder()
        let store = CartFile(path: folder.file("cart.json"))
        let cart = Cart(lines: [.oneA, .oneC])
        _ = try store.change { $0 = cart }
        func isTaken() -> Bool {
            let descriptor = open(folder.path, O_RDONLY)
            defer { close(descriptor) }
            return flock(descriptor, LOCK_EX | LOCK_NB) != 0
        }
        _ = try store.change { (changed: inout Cart) throws in
            #expect(isTaken())
            #expect(try store.load() == cart)
            changed = Cart()
        }
        #expect(throws: PageError.self) { try store.change { _ in throw PageError.nothingLoaded } }
        #expect(!isTaken())
    }
}
