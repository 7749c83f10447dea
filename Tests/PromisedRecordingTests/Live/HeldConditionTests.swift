import Promise
import PromisedRecording
import PromisedTesting
import Testing

/// Every command in every condition: nothing is stuck, and nothing is lost without being counted.
@Suite struct HeldConditionTests {
    enum Start: CaseIterable { case idle, inFlight, queued, debounced, effect }
    enum Command: CaseIterable { case stop, drop, lock, jump, branch, step, send, without, play }
    enum End: CaseIterable { case resume, stop, release, releaseOfTravel }

    private func begin(_ start: Start, _ bench: TravelBench) {
        bench.send(.add("a"))
        switch start {
        case .idle: break
        case .inFlight: bench.send(.loading("b", .seconds(2)))
        case .queued: bench.send(.late("b", .seconds(2)), .add("c"), .add("d"))
        case .debounced: bench.send(.add("~"))
        case .effect: bench.send(.effect("e", .seconds(2)))
        }
    }

    private func perform(_ command: Command, _ travel: TimeTravel<String, Note>) throws {
        switch command {
        case .stop: travel.stop()
        case .drop: travel.stop(arriving: .drop)
        case .lock: travel.lock()
        case .jump: try travel.jump(to: 0)
        case .branch: try travel.branch(from: 0)
        case .step: try travel.step()
        case .send: try travel.send(.add("h"))
        case .without: try travel.without(turn: 1)
        case .play: try travel.play()
        }
    }

    @Test(
        "Two commands, then more events, and the system goes on", arguments: Start.allCases, Command.allCases)
    func goesOn(_ start: Start, _ first: Command) throws {
        for second in Command.allCases {
            let bench = TravelBench()
            begin(start, bench)
            bench.perform { travel in _ = try? perform(first, travel) }
            bench.send(.add("1"))
            bench.perform { travel in _ = try? perform(second, travel) }
            bench.send(.add("2"))
            bench.scheduler.advance(by: .seconds(5))
            bench.travel.unlock()
            bench.perform { $0.resume() }
            bench.scheduler.advance(by: .seconds(5))
            bench.send(.add("3"))

            let place: Comment = "\(start), \(first), \(second)"
            let state = bench.system.state
            #expect(state.hasSuffix("3"), place)
            #expect(bench.travel.waiting == 0, place)
            #expect(bench.travel.showing == .present, place)
            #expect(bench.bound.all.last == state && bench.settled.all.last == state, place)
            // Each event has had its turn, or was counted as dropped.
            let outcomes = bench.records.all
            let dropped = outcomes.count { if case .dropped(.withdrawn) = $0.outcome { true } else { false } }
            #expect(dropped == bench.travel.dropped, place)
            for text in ["1", "2"] {
                #expect(outcomes.contains { $0.event == .add(text) }, "\(place): \(text)")
            }
            #expect(bench.scheduler.pendingCount == 0, place)
        }
    }

    @Test(
        "The end of the system, of its owner or of the time travel, while it is held",
        arguments: Start.allCases, End.allCases)
    func ends(_ start: Start, _ end: End) throws {
        for command in [Command.stop, .drop, .lock] {
            var bench: TravelBench? = TravelBench()
            let scheduler = try #require(bench?.scheduler)
            if let bench { begin(start, bench) }
            try bench?.perform { try perform(command, $0) }
            bench?.send(.add("1"))
            weak let system = bench?.system
            switch end {
            case .resume:
                bench?.travel.unlock()
                bench?.perform { $0.resume() }
                scheduler.advance(by: .seconds(5))
                #expect(bench?.travel.waiting == 0)
            case .stop:
                bench?.system.stop()
                scheduler.advance(by: .seconds(5))
                #expect(bench?.travel.waiting == 0)
                #expect(bench?.system.state == "a")
            case .release, .releaseOfTravel: break
            }
            bench = nil
            scheduler.advance(by: .seconds(5))
            #expect(system == nil, "\(start), \(end), \(command)")
            #expect(scheduler.pendingCount == 0, "\(start), \(end), \(command)")
        }
    }
}
