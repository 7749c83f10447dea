import Promise
import Synchronization
import TestSupport
import Testing

@testable import PromisedSystem

@Suite(.oneAtATime, .tags(.sharedState)) struct DrainOwnershipTests {
    private func kick(_ ownership: DrainOwnership<Int>, _ message: Int, onScheduler: Bool)
        -> DrainOwnership<Int>.WakeUp
    {
        ownership.post(message, needsAdmission: false, isOnScheduler: onScheduler)
    }

    private func messages(_ ownership: DrainOwnership<Int>) -> [Int] {
        var messages = Inbox<Int>()
        ownership.drainInbox(to: &messages)
        return messages.messages.all
    }

    @Test("One owner at a time: another caller leaves its message in the inbox, and the owner drains it")
    func ownership() {
        let ownership = DrainOwnership<Int>()
        #expect(ownership.tryAcquire())
        #expect(!ownership.tryAcquire())
        #expect(kick(ownership, 1, onScheduler: true) == .none)
        #expect(kick(ownership, 2, onScheduler: false) == .none)
        #expect(!ownership.release())
        #expect(messages(ownership) == [1, 2])
        #expect(ownership.release())
        #expect(ownership.tryAcquire())
    }

    @Test("An owner without a queue removes each message in order, and those that arrive meanwhile")
    func removal() {
        let ownership = DrainOwnership<Int>()
        for message in 1...3 { _ = ownership.enqueue(message, needsAdmission: message == 2) }
        #expect(ownership.tryAcquirePending())
        #expect(!ownership.tryAcquirePending())
        var removed: [Int] = []
        while let message = ownership.popFirst() {
            removed.append(message)
            if message == 3 { _ = ownership.enqueue(4, needsAdmission: false) }
        }
        #expect(removed == [1, 2, 3, 4])
        #expect(!ownership.hasPending && !ownership.hasAdmission)
        #expect(ownership.popFirst() == nil)
        _ = ownership.enqueue(5, needsAdmission: false)
        #expect(!ownership.release())
        #expect(ownership.popFirst() == 5)
        #expect(ownership.release())
    }

    @Test("A caller off the scheduler schedules one wake-up; a caller on the scheduler drains before it")
    func kicks() {
        let ownership = DrainOwnership<Int>()
        #expect(kick(ownership, 1, onScheduler: false) == .schedule)
        #expect(kick(ownership, 2, onScheduler: false) == .none)
        // Pending messages go first, so the fast acquisition fails.
        #expect(!ownership.tryAcquire())
        #expect(kick(ownership, 3, onScheduler: true) == .drain)
        // The wake-up comes too late, while another caller drains.
        #expect(!ownership.tryAcquireAfterWakeUp())
        #expect(messages(ownership) == [1, 2, 3])
        #expect(ownership.release())
        #expect(kick(ownership, 4, onScheduler: false) == .schedule)
        #expect(ownership.tryAcquireAfterWakeUp())
        #expect(messages(ownership) == [4])
        #expect(ownership.release())
        // A wake-up with an empty inbox.
        #expect(!ownership.tryAcquireAfterWakeUp())
    }

    @Test(
        "After a stop no caller becomes the owner, no message is accepted, and exactly one caller clears the rest"
    )
    func stop() {
        let ownership = DrainOwnership<Int>()
        #expect(ownership.stop())
        #expect(!ownership.stop())
        #expect(ownership.isStopped)
        #expect(!ownership.tryAcquire())
        #expect(kick(ownership, 1, onScheduler: true) == .none)
        #expect(messages(ownership) == [])

        let busy = DrainOwnership<Int>()
        #expect(busy.tryAcquire())
        #expect(!busy.stop())
        // The owner keeps the ownership, to clear the rest.
        #expect(!busy.release())
    }

    @Test(
        "FS-26: messages that arrive while draining ends are seen: none lost, none seen twice, one owner"
    )
    func contention() async {
        let ownership = DrainOwnership<Int>()
        let inside = Atomic(0)
        let seen = Atomic(0)
        let overlaps = Atomic(0)
        let each = rounds(5_000, stress: 20_000)
        @Sendable func drain() {
            repeat {
                if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue != 1 {
                    overlaps.wrappingAdd(1, ordering: .relaxed)
                }
                seen.wrappingAdd(messages(ownership).count, ordering: .relaxed)
                inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            } while !ownership.release()
        }
        await onThreads(4) { thread in
            for number in 0..<each {
                if thread % 2 == 0, ownership.tryAcquire() {
                    seen.wrappingAdd(1, ordering: .relaxed)
                    drain()
                } else if ownership.post(number, needsAdmission: false, isOnScheduler: true) == .drain {
                    drain()
                }
            }
        }
        #expect(seen.load(ordering: .relaxed) == 4 * each)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }
}
