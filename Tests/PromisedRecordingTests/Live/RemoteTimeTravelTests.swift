import Promise
import PromisedRecording
import PromisedTesting
import Testing

@Suite struct RemoteTimeTravelTests {
    private func counter() -> (System<Int, Int>, TimeTravel<Int, Int>) {
        let system = System<Int, Int>(initialState: 10, scheduler: .immediate) { .value($0 + $1) }
        let travel = TimeTravel(system)
        for number in 1...3 { system.sendEvent(number) }
        return (system, travel)
    }

    @Test(
        "OS-63: the index 2 of the history is requested through a transport of one's own, and is the override"
    )
    func row() {
        let (system, travel) = counter()
        let transport = FakeTransport()
        travel.serve(over: transport)
        transport.arrive(#"{"id":7,"do":{"jump":{"to":2}}}"#)
        #expect(system.state == 13)
        #expect(travel.tail[2].state == 13)
        #expect(transport.sent.all == [#"{"id":7}"#])
    }

    @Test("Each command and each request through a connection in memory")
    func commands() async throws {
        let bench = TravelBench()
        let (here, there) = MemoryTransport.pair()
        bench.travel.serve(over: here)
        let remote = RemoteTimeTravel(over: there)
        bench.send(.add("a"), .add("b"), .fail)
        func perform(_ command: TravelCommand) async throws {
            let done = remote.perform(command)
            done.start(on: bench.scheduler)
            bench.scheduler.advance()
            try await done.value
        }
        let history = try await remote.history().value
        #expect(history.turns.map(\.index) == [0, 1, 2, 3])
        #expect(history.turns.map(\.event) == [nil, #"add("a")"#, #"add("b")"#, "fail"])
        #expect(history.turns.map { $0.error != nil } == [false, false, false, true])
        #expect((history.showing, history.condition) == (.present, .running))
        #expect(try await remote.state(at: 1).value == #""a""#)
        #expect(try await remote.difference(at: 2).value == [#""a" → "ab""#])

        try await perform(.jump(to: 1))
        #expect(bench.system.state == "a")
        try await perform(.stop(arriving: .drop))
        bench.send(.add("c"))
        try await perform(.stop(arriving: .queue))
        bench.send(.add("d"))
        let stopped = try await remote.history().value
        #expect((stopped.showing, stopped.condition) == (.turn(1), .stopped))
        #expect((stopped.waiting, stopped.dropped) == (1, 1))
        try await perform(.lock)
        try await perform(.unlock)
        try await perform(.step)
        try await perform(.showPresent)
        #expect(bench.system.state == "abd")
        try await perform(.without(turn: 2))
        #expect(bench.system.state == "ad")
        #expect(try await remote.history().value.showing == .without(turn: 2))
        try await perform(.branch(from: 1))
        try await perform(.resume)
        #expect(bench.system.state == "a")
        bench.scheduler.advance(by: .seconds(5))
        bench.send(.add("e"))
        try await perform(.play(speed: 2.5))
        #expect(bench.system.state == "a")
        bench.scheduler.advance(by: .seconds(2))
        #expect(bench.system.state == "ae")
    }

    @Test("An event is sent by hand as JSON")
    func event() async throws {
        let (system, travel) = counter()
        let (here, there) = MemoryTransport.pair()
        travel.serve(over: here)
        let remote = RemoteTimeTravel(over: there)
        try await remote.perform(.send(json: "100")).value
        #expect(system.state == 116)
        await #expect(throws: TimeTravelError.self) { try await remote.perform(.send(json: "\"x\"")).value }
        await #expect(throws: TimeTravelError.self) { try await remote.perform(.send(json: "{")).value }
        #expect(system.state == 116)
    }

    @Test("What is refused there is the error here, with its reason")
    func refused() async throws {
        let (_, travel) = counter()
        let (here, there) = MemoryTransport.pair()
        travel.serve(over: here)
        let remote = RemoteTimeTravel(over: there)
        await #expect(throws: TimeTravelError.refused("There is no turn 9. 0 to 3 are kept.")) {
            try await remote.perform(.jump(to: 9)).value
        }
    }

    @Test("When the connection is closed, open and later requests are rejected", arguments: [true, false])
    func closed(_ isClosedHere: Bool) async throws {
        let (here, there) = MemoryTransport.pair()
        let remote = RemoteTimeTravel(over: there)
        let open = remote.history()
        open.start(on: .immediate)
        if isClosedHere { here.close() } else { there.close() }
        await #expect(throws: TimeTravelError.disconnected) { try await open.value }
        await #expect(throws: TimeTravelError.disconnected) { try await remote.history().value }
    }

    @Test("A released time travel closes the connection at the next request")
    func released() async throws {
        let (here, there) = MemoryTransport.pair()
        var travel: TimeTravel<Int, Int>? = counter().1
        travel?.serve(over: here)
        let remote = RemoteTimeTravel(over: there)
        travel = nil
        await #expect(throws: TimeTravelError.disconnected) { try await remote.history().value }
    }

    // MARK: Hostile messages

    private static let messages = [
        "", " ", "{", "[]", "1", "null", "\"jump\"", "{}", #"{"do":1}"#, #"{"do":null}"#, #"{"do":"step"}"#,
        #"{"do":{}}"#, #"{"do":{"fly":{}}}"#, #"{"do":{"step":{},"lock":{}}}"#, #"{"do":{"step":1}}"#,
        #"{"do":{"jump":{}}}"#, #"{"do":{"jump":{"to":"2"}}}"#, #"{"do":{"jump":{"to":2.5}}}"#,
        #"{"do":{"jump":{"to":1e99}}}"#, #"{"do":{"jump":{"to":null}}}"#, #"{"do":{"jump":{"to":[2]}}}"#,
        #"{"do":{"jump":{"to":-9223372036854775808}}}"#, #"{"do":{"jump":{"to":9223372036854775807}}}"#,
        #"{"do":{"jump":{"to":99999999999999999999}}}"#, #"{"look":{"state":{"at":-1}}}"#,
        #"{"look":{"state":{}}}"#, #"{"look":{"difference":{"at":-9223372036854775808}}}"#,
        #"{"look":{"difference":{"at":0}}}"#, #"{"look":{"history":{}},"do":{"step":{}}}"#,
        #"{"do":{"without":{"turn":0}}}"#, #"{"do":{"branch":{"from":9}}}"#, #"{"do":{"stop":{}}}"#,
        #"{"do":{"stop":{"arriving":"keep"}}}"#, #"{"do":{"play":{"speed":"nan"}}}"#,
        #"{"do":{"play":{"speed":-1}}}"#, #"{"do":{"play":{"speed":1e400}}}"#, #"{"do":{"send":{}}}"#,
        #"{"do":{"send":{"json":"{}"}}}"#, #"{"do":{"send":{"json":"1 2"}}}"#,
        #"{"do":{"send":{"json":""}}}"#,
        "{\"do\":{\"send\":{\"json\":\"\u{0}\"}}}", #"{"id":"x","do":{"step":{}}}"#,
        #"{"do":{"step":{}},"do":{"lock":{}}}"#, #"{"do":{"jump":{"to":1}}}{"do":{"step":{}}}"#,
        "{\"do\":\"\u{FFFD}\"}",
        String(repeating: "[", count: 100_000), #"{"do":"#, String(repeating: "9", count: 2_000_000),
        #"{"look":"# + String(repeating: #"{"state":"#, count: 300) + String(repeating: "}", count: 301),
    ]

    @Test(
        "A message that is none is answered with an error, and changes nothing", arguments: messages.indices)
    func hostile(_ index: Int) throws {
        let (system, travel) = counter()
        let answers = Entries<String>()
        let transport = FakeTransport()
        travel.serve(over: transport)
        transport.arrive(Self.messages[index])
        for answer in transport.sent.all { answers.add(answer) }
        #expect(answers.all.count == 1)
        let answer = try #require(answers.all.first)
        #expect(answer.hasPrefix(#"{"error":""#))
        #expect(answer.utf8.count < 400)
        #expect(!answer.contains("\n"))
        #expect(system.state == 16)
        #expect((travel.showing, travel.condition, travel.indices) == (.present, .running, 0..<4))
    }

    @Test("An answer that is none, or to no request, is ignored; one of another kind is an error")
    func hostileAnswers() async throws {
        let transport = FakeTransport()
        let remote = RemoteTimeTravel(over: transport)
        let history = remote.history()
        history.start(on: .immediate)
        #expect(transport.sent.all == [#"{"id":1,"look":{"history":{}}}"#])
        for answer in [
            "", "[]", #"{"id":2}"#, #"{"id":"1"}"#, #"{"id":1,"history":{}}"#, #"{"id":1,"history":1}"#,
        ] {
            transport.arrive(answer)
        }
        transport.arrive(#"{"id":1,"state":"x"}"#)
        await #expect(throws: TimeTravelError.refused("The answer is not the requested one.")) {
            try await history.value
        }
    }
}
