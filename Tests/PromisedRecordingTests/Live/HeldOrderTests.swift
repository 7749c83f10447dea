import Foundation
import Promise
import PromisedRecording
import PromisedTesting
import TestSupport
import Testing

@Suite(.oneAtATime, .tags(.sharedState)) struct HeldOrderTests {
    private enum Act: CaseIterable { case stop, step, resume, send, sendLate, advance }

    @Test(
        "In every order of five stops, steps, resumes, events and answers, the states are those of a system never held"
    )
    func everyOrder() throws {
        let acts = Act.allCases
        var count = 0
        for number in 0..<7_776 {
            var (rest, order): (Int, [Act]) = (number, [])
            for _ in 0..<5 {
                order.append(acts[rest % acts.count])
                rest /= acts.count
            }
            guard order.contains(.stop), order.contains(where: { $0 == .send || $0 == .sendLate }) else {
                continue
            }
            count += 1
            try check(order)
        }
        #expect(count > 3_000)
    }

    private func check(_ order: [Act]) throws {
        let scheduler = TestScheduler()
        let system = System<String, Note>(initialState: "", scheduler: scheduler) { state, note in
            switch note {
            case .add(let text): .value(state + text)
            case .late(let text, let time): Promise.value(state + text).delay(time)
            default: .value(state)
            }
        }
        let (travel, settled) = (TimeTravel(system), Entries<String>())
        let token = system.settled.subscribe { settled.add($0) }
        var (expected, isHeld): (_, Bool) = ([""], false)
        for (index, act) in order.enumerated() {
            let before = settled.all.count
            switch act {
            case .stop: travel.stop()
            case .step: try travel.step()
            case .resume: travel.resume()
            case .send: system.sendEvent(.add("\(index)"))
            case .sendLate: system.sendEvent(.late("\(index)", .seconds(1)))
            case .advance: scheduler.advance(by: .seconds(1))
            }
            scheduler.advance()
            if act == .stop { isHeld = true }
            if act == .resume { isHeld = false }
            if act == .send || act == .sendLate { expected.append(expected[expected.count - 1] + "\(index)") }
            // A held system goes on by steps only, and by one state at most.
            let grown = settled.all.count - before
            if isHeld { #expect(grown <= (act == .step ? 1 : 0), "\(order)") }
        }
        travel.resume()
        scheduler.advance(by: .seconds(10))
        #expect(settled.all == expected, "\(order)")
        #expect((travel.waiting, travel.dropped) == (0, 0), "\(order)")
        withExtendedLifetime(token) {}
    }

    @Test("A command and an event that arrive while a step processes an event do not interrupt it")
    func arrivalInStep() throws {
        let scheduler = TestScheduler()
        let (system, travel) = (Lock<System<String, Note>?>(nil), Lock<TimeTravel<String, Note>?>(nil))
        let made = System<String, Note>(
            initialState: "", scheduler: scheduler,
            configuration: .init(eventPolicy: { $0 == .fail ? .replace : .queue })
        ) { state, note in
            guard case .add(let text) = note else { return .value(state + "!") }
            let sent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                travel.withLock { $0 }?.stop()
                system.withLock { $0 }?.sendEvent(.fail)
                sent.signal()
            }
            sent.wait()
            return .value(state + text)
        }
        system.exchange(for: made)
        travel.exchange(for: TimeTravel(made))
        travel.withLock { $0 }?.stop()
        made.sendEvent(.add("a"))
        scheduler.advance()
        try travel.withLock { $0 }?.step()
        scheduler.advance()
        #expect(made.state == "a")
        #expect(travel.withLock { $0 }?.waiting == 1)
        travel.withLock { $0 }?.resume()
        scheduler.advance()
        #expect(made.state == "a!")
        system.exchange(for: nil)
        travel.exchange(for: nil)
    }

    @Test(
        "Events from several threads are processed in each sender's order or counted, while another thread controls"
    )
    func threads() async throws {
        let system = System<[Int], Int>(
            initialState: [], scheduler: .serial("held"), reducer: Reducer { $0.append($1) })
        let travel = TimeTravel(system, keeping: .last(10))
        let (senders, rounds) = (3, 2_000)
        let random = Lock(SeededGenerator(seed: 1))
        let controls: @Sendable (Int) -> Void = { _ in
            switch random.withLock({ Int.random(in: 0..<8, using: &$0) }) {
            case 0: travel.stop()
            case 1: travel.stop(arriving: .drop)
            case 2: travel.lock()
            case 3: travel.unlock()
            case 4: try? travel.jump(to: travel.indices.upperBound - 1)
            case 5: travel.showPresent()
            case 6: try? travel.step()
            default: travel.resume()
            }
        }
        let sends = (0..<senders).map { sender -> @Sendable (Int) -> Void in
            { round in system.sendEvent(sender * rounds + round) }
        }
        await onThread { race(rounds, sends + [controls]) }
        travel.unlock()
        travel.resume()
        try await system.whenIdle().value
        let state = system.state
        #expect(state.count + travel.dropped == senders * rounds)
        for sender in 0..<senders {
            let own = state.filter { $0 / rounds == sender }
            #expect(own == own.sorted() && Set(own).count == own.count)
        }
        #expect(travel.waiting == 0)
    }
}
