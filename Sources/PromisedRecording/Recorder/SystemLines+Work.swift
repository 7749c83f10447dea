internal import Promise
internal import PromisedSystem

// The lines of effects, calls, timers and `async` work.
extension SystemLines {
    mutating func add(_ work: WorkFact, at time: Duration, to session: inout SessionLines) {
        let own = system?.number ?? 0
        func open(_ kind: RecordedFact.Kind, _ id: Int) -> SessionLines.OpenWork {
            .init(system: own, kind: kind, number: id)
        }
        switch work {
        case .starts(let run, let request, let place, let origin):
            var members = self.request(request, place, origin, at: time, &session)
            members.set("run", to: .number(run))
            session.end(open(.wait, request))
            session.begin(open(.run, run), members)
        case .waits(let request, let place, let origin):
            session.begin(open(.wait, request), self.request(request, place, origin, at: time, &session))
        case .delayEnded(let request):
            session.add(.fire, members(at: time, ["by": .string("loop"), "request": .number(request)]))
        case .ended(let run, let error):
            var members = members(at: time, ["run": .number(run)])
            if let error = takeFailure() ?? error {
                members.set("error", to: .string(session.redaction.text(of: error)))
            }
            session.add(.ran, members)
            session.end(open(.run, run))
        case .cancelled(let run):
            session.add(.cancel, members(at: time, ["run": .number(run)]))
            session.end(open(.run, run))
        case .setsTimer(let owner, let number, let delay):
            session.add(
                .timer,
                members(
                    at: time,
                    [
                        "by": .string("\(owner)"), "number": .number(number),
                        "after": .number(delay.nanoseconds),
                    ]))
        case .timerFires(let owner, let number):
            session.add(
                .fire, members(at: time, ["by": .string("\(owner)"), "number": .number(number)]))
        case .asyncBegins(let owner, let number, let origin):
            session.begin(
                open(.async, number),
                members(
                    at: time,
                    [
                        "by": .string("\(owner)"), "id": .number(number),
                        "at": .number(session.number(of: origin)),
                    ]))
        case .asyncEnds(let owner, let number):
            session.add(.asyncEnd, members(at: time, ["by": .string("\(owner)"), "id": .number(number)]))
            session.end(open(.async, number))
        case .calls(let call):
            var members = members(
                at: time,
                [
                    "id": .number(call.number), "name": .string(call.name), "by": .string("\(call.owner)"),
                    "at": .number(session.number(of: call.origin)),
                ])
            members.set("in", to: session.code(call.input))
            session.begin(open(.call, call.number), members)
        case .answers(let call, let answer):
            session.add(.answer, self.answer(call, answer, at: time, &session))
            if !answer.isInterim { session.end(open(.call, call)) }
        }
    }

    private func request(
        _ request: Int, _ place: [EffectKey], _ origin: Origin, at time: Duration,
        _ session: inout SessionLines
    ) -> [JSONMember] {
        members(
            at: time,
            [
                "request": .number(request), "at": .number(session.number(of: origin)),
                "key": place.last.map { session.redaction.json(of: $0) } ?? .null,
                "path": .array(place.dropLast().dropFirst().map { session.redaction.json(of: $0) }),
            ])
    }

    private func answer(
        _ call: Int, _ answer: RecordedAnswer, at time: Duration, _ session: inout SessionLines
    ) -> [JSONMember] {
        var members = members(at: time, ["id": .number(call)])
        switch answer {
        case .interim(let value): members.set("interim", to: session.code(value))
        case .value(let value): members.set("out", to: session.code(value))
        case .cancelled: members.set("cancelled", to: .bool(true))
        case .error(let error, let failing):
            var parts: [JSONMember] = [
                .init("text", .string(session.redaction.text(of: error))),
                .init("type", .string("\(type(of: error))")),
            ]
            if let failing, type(of: error) == failing, let value = session.code(error).json {
                parts.set("v", to: value)
            }
            members.set("error", to: .object(parts))
        }
        return members
    }
}
