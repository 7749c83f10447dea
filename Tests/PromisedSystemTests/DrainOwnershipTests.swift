import Promise
import Synchronization
import TestSupport
import Testing

@testable import PromisedSystem

@Suite(.oneAtATime) struct DrainOwnershipTests {
    private func kick(_ ownership: DrainOwnership<Int>, _ message: Int, onScheduler: Bool)
        -> DrainOwnership<Int>.WakeUp
    {
        ownership.put(message, isUrgent: false, isOnScheduler: onScheduler)
    }

    private func mail(_ ownership: DrainOwnership<Int>) -> [Int] {
        var mail = ownership.drainInbox()
        var all: [Int] = []
        while let message = mail.messages.popFirst() { all.append(message) }
        return all
    }

    @Test("One owner at a time: whoever comes meanwhile leaves, and what he brought is seen")
    func ownership() {
        let ownership = DrainOwnership<Int>()
        #expect(ownership.enter())
        #expect(!ownership.enter())
        #expect(kick(ownership, 1, onScheduler: true) == .none)
        #expect(kick(ownership, 2, onScheduler: false) == .none)
        #expect(!ownership.leave())
        #expect(mail(ownership) == [1, 2])
        #expect(ownership.leave())
        #expect(ownership.enter())
    }

    @Test("Away from the scheduler it is asked to call back, once; whoever is there meanwhile drains")
    func kicks() {
        let ownership = DrainOwnership<Int>()
        #expect(kick(ownership, 1, onScheduler: false) == .schedule)
        #expect(kick(ownership, 2, onScheduler: false) == .none)
        // What waits goes first, so nobody walks in.
        #expect(!ownership.enter())
        #expect(kick(ownership, 3, onScheduler: true) == .drain)
        // The scheduler calls back too late, while somebody drains.
        #expect(!ownership.tryAcquireAfterWakeUp())
        #expect(mail(ownership) == [1, 2, 3])
        #expect(ownership.leave())
        #expect(kick(ownership, 4, onScheduler: false) == .schedule)
        #expect(ownership.tryAcquireAfterWakeUp())
        #expect(mail(ownership) == [4])
        #expect(ownership.leave())
        // Called back for nothing.
        #expect(!ownership.tryAcquireAfterWakeUp())
    }

    @Test("After the end nobody enters, nothing is taken in, and one of all clears what is left")
    func stop() {
        let ownership = DrainOwnership<Int>()
        #expect(ownership.stop())
        #expect(!ownership.stop())
        #expect(ownership.isStopped)
        #expect(!ownership.enter())
        #expect(kick(ownership, 1, onScheduler: true) == .none)
        #expect(mail(ownership) == [])

        let busy = DrainOwnership<Int>()
        #expect(busy.enter())
        #expect(!busy.stop())
        // The owner keeps it, to clear what is left.
        #expect(!busy.leave())
    }

    @Test(
        "FS-26: what comes in the last moment of draining is seen: no message lost, none seen twice, one owner"
    )
    func contention() async {
        let ownership = DrainOwnership<Int>()
        let inside = Atomic(0)
        let seen = Atomic(0)
        let overlaps = Atomic(0)
        let each = rounds(20_000)
        @Sendable func drain() {
            repeat {
                if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue != 1 {
                    overlaps.wrappingAdd(1, ordering: .relaxed)
                }
                seen.wrappingAdd(mail(ownership).count, ordering: .relaxed)
                inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            } while !ownership.leave()
        }
        await onThreads(4) { thread in
            for number in 0..<each {
                if thread % 2 == 0, ownership.enter() {
                    seen.wrappingAdd(1, ordering: .relaxed)
                    drain()
                } else if ownership.put(number, isUrgent: false, isOnScheduler: true) == .drain {
                    drain()
                }
            }
        }
        #expect(seen.load(ordering: .relaxed) == 4 * each)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }
}
