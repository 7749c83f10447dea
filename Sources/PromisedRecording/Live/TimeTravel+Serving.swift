internal import Promise

extension TimeTravel {
    /// Performs the commands of a ``RemoteTimeTravel`` at the other end of a connection, until it is closed. A system
    /// that was stopped or locked from there stays so.
    ///
    /// Events and states whose types are `Codable` are sent as JSON, others as text; an event can be sent by hand from
    /// there if its type is `Decodable`. The other end controls the system and reads its states, so connect it only to
    /// a tool of your own.
    ///
    /// - Parameter transport: The connection, which is retained until it is closed.
    public func serve(over transport: some TimeTravelTransport) { serve(over: transport, onClose: {}) }

    /// Performs the commands of the ``RemoteTimeTravel`` that connects to a Unix domain socket, by
    /// ``SocketTransport/init(connectingTo:)``: of one at a time. Only processes of the same user can connect.
    ///
    /// - Parameter path: Where the socket is made; a socket there that no program serves is replaced.
    /// - Returns: The server, which must be retained: its release ends the connection.
    public func serve(at path: String) throws(TimeTravelError) -> TimeTravelServer {
        try TimeTravelServer(at: path) { [weak self] transport, onClose in
            guard let self else { return onClose() }
            serve(over: transport, onClose: onClose)
        }
    }

    private func serve(
        over transport: some TimeTravelTransport, onClose: @escaping @Sendable () -> Void
    ) {
        transport.receive(
            { [weak self] message in
                guard let self else { return transport.close() }
                answer(message) { transport.send($0.text()) }
            }, onClose: onClose)
    }

    /// - Parameter reply: Called once: for a command, when the system has performed it as well.
    private func answer(_ message: String, _ reply: @escaping @Sendable (TravelAnswer) -> Void) {
        var id: Int?
        do throws(TimeTravelError) {
            let request = try TravelMessage.read(TravelRequest.self, message)
            id = request.id
            let answer = TravelAnswer(id: id)
            switch (request.do, request.look) {
            case (let command?, nil):
                try perform(command)
                // Behind what the command has asked of the system.
                guard let system, !system.isOver else { return reply(answer) }
                system.command { reply(answer) }
            case (nil, let look?): reply(try self.answer(look, answer))
            default: throw .refused("The message has not one of the members 'do' and 'look'.")
            }
        } catch {
            reply(TravelAnswer(id: id, error: error.description))
        }
    }

    private func perform(_ command: TravelCommand) throws(TimeTravelError) {
        switch command {
        case .jump(let index): try jump(to: index)
        case .showPresent: showPresent()
        case .stop(let arriving): stop(arriving: arriving)
        case .step: try step()
        case .resume: resume()
        case .lock: lock()
        case .unlock: unlock()
        case .branch(let index): try branch(from: index)
        case .without(let index): try without(turn: index)
        case .play(let speed): try play(speed: speed)
        case .send(let json):
            guard let type = Event.self as? any Decodable.Type,
                let event = try TravelMessage.read(type, json) as? Event
            else { throw .refused("\(Event.self) is not Decodable, so that no event can be sent.") }
            try send(event)
        }
    }

    private func answer(
        _ look: TravelRequest.Look, _ answer: TravelAnswer
    ) throws(TimeTravelError) -> TravelAnswer {
        var answer = answer
        switch look {
        case .history:
            let turns = tail.map { turn in
                RemoteTimeTravel.Turn(
                    index: turn.index, event: turn.event.map { ValueText(event: $0).description },
                    error: turn.error.map { "\($0)" }, time: turn.time)
            }
            answer.history = .init(
                turns: turns, showing: showing, condition: condition, waiting: waiting, dropped: dropped)
        case .state(let index):
            let state = CodedValue(try turn(at: index).state)
            answer.state = state.json?.text ?? state.text
        case .difference(let index):
            answer.difference = try difference(at: index).description.split(separator: "\n").map(String.init)
        }
        return answer
    }
}
