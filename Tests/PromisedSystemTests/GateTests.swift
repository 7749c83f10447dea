import Promise
import Synchronization
import TestSupport
import Testing

@testable import PromisedSystem

@Suite(.oneAtATime) struct GateTests {
    private func kick(_ gate: Gate<Int>, _ message: Int, onScheduler: Bool) -> Gate<Int>.Kick {
        gate.put(message, isSpecial: false, isOnScheduler: onScheduler)
    }

    private func mail(_ gate: Gate<Int>) -> [Int] {
        var mail = gate.takeMail()
        var all: [Int] = []
        while let message = mail.messages.popFirst() { all.append(message) }
        return all
    }

    @Test("One owner at a time: whoever comes meanwhile leaves, and what he brought is seen")
    func ownership() {
        let gate = Gate<Int>()
        #expect(gate.enter())
        #expect(!gate.enter())
        #expect(kick(gate, 1, onScheduler: true) == .none)
        #expect(kick(gate, 2, onScheduler: false) == .none)
        #expect(!gate.leave())
        #expect(mail(gate) == [1, 2])
        #expect(gate.leave())
        #expect(gate.enter())
    }

    @Test("Away from the scheduler it is asked to call back, once; whoever is there meanwhile drains")
    func kicks() {
        let gate = Gate<Int>()
        #expect(kick(gate, 1, onScheduler: false) == .schedule)
        #expect(kick(gate, 2, onScheduler: false) == .none)
        // What waits goes first, so nobody walks in.
        #expect(!gate.enter())
        #expect(kick(gate, 3, onScheduler: true) == .drain)
        // The scheduler calls back too late, while somebody drains.
        #expect(!gate.takeOverWhenKicked())
        #expect(mail(gate) == [1, 2, 3])
        #expect(gate.leave())
        #expect(kick(gate, 4, onScheduler: false) == .schedule)
        #expect(gate.takeOverWhenKicked())
        #expect(mail(gate) == [4])
        #expect(gate.leave())
        // Called back for nothing.
        #expect(!gate.takeOverWhenKicked())
    }

    @Test("After the end nobody enters, nothing is taken in, and one of all clears what is left")
    func stop() {
        let gate = Gate<Int>()
        #expect(gate.stop())
        #expect(!gate.stop())
        #expect(gate.isStopped)
        #expect(!gate.enter())
        #expect(kick(gate, 1, onScheduler: true) == .none)
        #expect(mail(gate) == [])

        let busy = Gate<Int>()
        #expect(busy.enter())
        #expect(!busy.stop())
        // The owner keeps it, to clear what is left.
        #expect(!busy.leave())
    }

    @Test(
        "FS-26: what comes in the last moment of draining is seen: no message lost, none seen twice, one owner"
    )
    func contention() async {
        let gate = Gate<Int>()
        let inside = Atomic(0)
        let seen = Atomic(0)
        let overlaps = Atomic(0)
        let each = rounds(20_000)
        @Sendable func drain() {
            repeat {
                if inside.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue != 1 {
                    overlaps.wrappingAdd(1, ordering: .relaxed)
                }
                seen.wrappingAdd(mail(gate).count, ordering: .relaxed)
                inside.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            } while !gate.leave()
        }
        await onThreads(4) { thread in
            for number in 0..<each {
                if thread % 2 == 0, gate.enter() {
                    seen.wrappingAdd(1, ordering: .relaxed)
                    drain()
                } else if gate.put(number, isSpecial: false, isOnScheduler: true) == .drain {
                    drain()
                }
            }
        }
        #expect(seen.load(ordering: .relaxed) == 4 * each)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }
}
