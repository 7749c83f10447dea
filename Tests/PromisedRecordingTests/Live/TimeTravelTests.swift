import Promise
import PromisedRecording
import PromisedTesting
import Testing

@Suite struct TimeTravelTests {
    private func counter(
        _ count: Int, keeping limit: HistoryLimit
    ) -> (system: System<Int, Int>, travel: TimeTravel<Int, Int>) {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let travel = TimeTravel(system, keeping: limit)
        for _ in 0..<count { system.sendEvent(1) }
        return (system, travel)
    }

    // MARK: History

    @Test(
        "OS-62: of 1,200 states, a tail of 1,000 begins with the 201st; a jump by index, a difference between neighbours"
    )
    func history() throws {
        let (system, travel) = counter(1_199, keeping: .last(1_000))
        #expect(travel.indices == 200..<1_200)
        #expect(travel.tail.count == 1_000)
        #expect(travel.tail.first?.state == 200)
        #expect(travel.tail.first?.index == 200)
        try travel.jump(to: 200)
        #expect(system.state == 200)
        #expect(travel.showing == .turn(200))
        #expect(try travel.difference(at: 201).description == "200 → 201")
        travel.showPresent()
        #expect(system.state == 1_199)
        #expect(travel.showing == .present)
    }

    @Test(
        "A turn that is not kept is refused, and the error says which are",
        arguments: [-1, 9, 15, .min, .max])
    func unknownTurn(_ index: Int) {
        let (system, travel) = counter(14, keeping: .last(5))
        #expect(throws: TimeTravelError.unknownTurn(index, kept: 10..<15)) { try travel.jump(to: index) }
        #expect(throws: TimeTravelError.unknownTurn(index, kept: 10..<15)) {
            try travel.difference(at: index)
        }
        #expect(throws: TimeTravelError.unknownTurn(index, kept: 10..<15)) { try travel.branch(from: index) }
        #expect(throws: TimeTravelError.unknownTurn(index, kept: 10..<15)) { try travel.without(turn: index) }
        #expect(throws: TimeTravelError.unknownTurn(9, kept: 10..<15)) { try travel.difference(at: 10) }
        #expect(throws: TimeTravelError.unknownTurn(9, kept: 10..<15)) { try travel.without(turn: 10) }
        #expect(system.state == 14)
        #expect(
            TimeTravelError.unknownTurn(index, kept: 10..<15).description
                == "There is no turn \(index). 10 to 14 are kept.")
    }

    @Test(
        "The limits of a history",
        arguments: [
            (HistoryLimit.none, 0), (.last(0), 0), (.last(-1), 0), (.last(3), 3), (.unlimited, 101),
        ])
    func limits(_ limit: HistoryLimit, _ count: Int) {
        let (_, travel) = counter(100, keeping: limit)
        #expect(travel.tail.map(\.index) == Array(101 - count..<101))
        #expect(travel.tail.map(\.state) == Array(101 - count..<101))
        if count == 0 {
            #expect(throws: TimeTravelError.unknownTurn(3, kept: 101..<101)) { try travel.jump(to: 3) }
        }
    }

    @Test("A turn has its event, its instant, and the error of a transition that has failed")
    func turns() throws {
        let bench = TravelBench()
        bench.send(.add("a"))
        bench.scheduler.advance(by: .seconds(1))
        bench.send(.fail, .late("b", .seconds(2)))
        bench.scheduler.advance(by: .seconds(2))
        let turns = bench.travel.tail
        #expect(turns.map(\.event) == [nil, .add("a"), .fail, .late("b", .seconds(2))])
        #expect(turns.map(\.state) == ["", "a", "a", "ab"])
        #expect(turns.map(\.time) == [.zero, .zero, .seconds(1), .seconds(3)])
        #expect(turns.map { $0.error is NoteError } == [false, false, true, false])
    }

    // MARK: Branches

    @Test("A branch goes on from an earlier state, and forgets the turns after it")
    func branch() throws {
        let bench = TravelBench()
        bench.send(.add("a"), .add("b"), .add("c"))
        try bench.perform { try $0.jump(to: 1) }
        try bench.perform { try $0.branch(from: 1) }
        #expect(bench.system.state == "a")
        #expect(bench.travel.indices == 0..<2)
        #expect(bench.travel.showing == .present)
        bench.send(.add("d"))
        #expect(bench.bound.all == ["a", "ab", "abc", "a", "a", "ad"])
        #expect(bench.travel.tail.map(\.state) == ["", "a", "ad"])
    }

    @Test("A branch in a bounded history keeps the numbers of its turns") func boundedBranch() throws {
        let (system, travel) = counter(14, keeping: .last(5))
        try travel.branch(from: 12)
        #expect(travel.indices == 10..<13 && system.state == 12)
        system.sendEvent(1)
        #expect(travel.tail.map(\.index) == [10, 11, 12, 13] && travel.tail.last?.state == 13)
    }

    @Test(
        "A branch asks for the effects that follow from its state, and cancels those of the state that it leaves"
    )
    func branchEffects() throws {
        let log = Entries<String>()
        let system = System<Int, Int>(
            initialState: 0, scheduler: .immediate,
            feedbacks: [
                .latest(state: { $0 }) { number in
                    Effect { effect in
                        log.add("begin \(number)")
                        effect.onCancel { log.add("cancel \(number)") }
                    }
                }
            ]
        ) { .value($0 + $1) }
        let travel = TimeTravel(system)
        system.sendEvent(1)
        system.sendEvent(1)
        _ = log.take()
        try travel.branch(from: 1)
        #expect(log.all == ["cancel 2", "begin 1"])
    }

    // MARK: Without an event

    @Test("An event is left out: the state that there would be, by the reducer alone, is shown and returned")
    func without() throws {
        let bench = TravelBench()
        bench.send(.add("a"), .add("b"), .fail, .add("c"))
        #expect(try bench.travel.without(turn: 2) == "ac")
        #expect(bench.system.state == "ac")
        #expect(bench.travel.showing == .without(turn: 2))
        bench.travel.showPresent()
        #expect(bench.system.state == "abc")
        #expect(throws: TimeTravelError.noEvent(0)) { try bench.travel.without(turn: 0) }
    }

    @Test(
        "An asynchronous transition is computed only from the state that it had; nothing is asked of the world again"
    )
    func withoutAsynchronous() throws {
        let bench = TravelBench()
        bench.send(.add("a"), .late("b", .seconds(1)))
        bench.scheduler.advance(by: .seconds(1))
        bench.send(.fail, .late("c", .seconds(1)))
        bench.scheduler.advance(by: .seconds(1))
        let timers = bench.scheduler.pendingCount
        #expect(try bench.travel.without(turn: 3) == "abc")
        #expect(throws: TimeTravelError.asynchronous(2, event: "late(\"b\", 1.0 seconds)")) {
            try bench.travel.without(turn: 1)
        }
        bench.scheduler.advance()
        #expect(bench.scheduler.pendingCount == timers)
    }

    // MARK: Playing

    @Test("The history is played at its pace, or faster, and ends with the present state")
    func play() throws {
        let bench = TravelBench()
        for text in ["a", "b", "c"] {
            bench.scheduler.advance(by: .seconds(4))
            bench.send(.add(text))
        }
        _ = bench.bound.take()
        try bench.perform { try $0.play(speed: 2) }
        var seen: [String] = []
        for _ in 0..<7 {
            seen.append(bench.system.state)
            bench.scheduler.advance(by: .seconds(1))
        }
        #expect(seen == ["", "", "a", "a", "ab", "ab", "abc"])
        #expect(bench.bound.all == ["", "a", "ab", "abc", "abc"])
        #expect(bench.travel.showing == .present)
        #expect(bench.scheduler.pendingCount == 0)
    }

    enum Ending: CaseIterable { case jump, present, resume, branch, without }

    @Test("Another command that shows a state ends the playing, and its timer", arguments: Ending.allCases)
    func endOfPlaying(_ ending: Ending) throws {
        let bench = TravelBench()
        bench.send(.add("a"))
        bench.scheduler.advance(by: .seconds(10))
        bench.send(.add("b"))
        try bench.perform { try $0.jump(to: 1) }
        try bench.perform { try $0.play() }
        #expect(bench.scheduler.pendingCount == 1)
        try bench.perform { travel in
            switch ending {
            case .jump: try travel.jump(to: 0)
            case .present: travel.showPresent()
            case .resume: travel.resume()
            case .branch: try travel.branch(from: 0)
            case .without: try travel.without(turn: 2)
            }
        }
        #expect(bench.scheduler.pendingCount == 0)
        bench.scheduler.advance(by: .seconds(20))
        let (showing, state): (TravelShowing, String) =
            switch ending {
            case .jump: (.turn(0), "")
            case .present, .resume: (.present, "ab")
            case .branch: (.present, "")
            case .without: (.without(turn: 2), "a")
            }
        #expect(bench.travel.showing == showing && bench.system.state == state)
    }

    @Test("A speed out of bounds is refused", arguments: [0, -1, .nan, .infinity, 1e-300, 1e300])
    func speed(_ speed: Double) {
        let bench = TravelBench()
        #expect(throws: TimeTravelError.self) { try bench.travel.play(speed: speed) }
        #expect(bench.travel.showing == .present)
    }

    // MARK: Ends

    @Test(
        "After the end of the system the history stays readable, and commands that show something are refused"
    )
    func end() throws {
        var system: System<Int, Int>? = System(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        let travel = TimeTravel(try #require(system))
        system?.sendEvent(1)
        weak let released = system
        system = nil
        #expect(released == nil)
        #expect(travel.tail.map(\.state) == [0, 1])
        #expect(throws: TimeTravelError.ended) { try travel.jump(to: 0) }
        #expect(throws: TimeTravelError.ended) { try travel.branch(from: 0) }
        #expect(throws: TimeTravelError.ended) { try travel.send(1) }
        #expect(throws: TimeTravelError.ended) { try travel.without(turn: 1) }
        travel.stop()
        try travel.step()
        travel.resume()
    }

    @Test("When the time travel is released, the system shows its present state and goes on")
    func release() throws {
        let system = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
        var travel: TimeTravel<Int, Int>? = TimeTravel(system)
        system.sendEvent(1)
        try travel?.jump(to: 0)
        travel?.lock()
        travel?.unlock()
        travel?.stop()
        system.sendEvent(1)
        #expect(system.state == 0)
        travel = nil
        #expect(system.state == 2)
    }
}
