import PromisedSystem
import TestSupport

/// A random layer: how it handles an event, and what it sends before and after.
struct RandomMiddleware: Sendable {
    enum Choice: CaseIterable, Sendable {
        case pass, passToo, replace, stop, sendBefore, sendAfter, stopAndSend
    }

    enum Form: CaseIterable, Sendable { case identity, before, after, both }

    let name: String
    let form: Form
    /// By the kind of event.
    let choices: [Choice]

    init(_ name: String, _ random: inout SeededGenerator) {
        self.name = name
        form =
            Int.random(in: 0..<3, using: &random) > 0
            ? .both : Form.allCases.randomElement(using: &random) ?? .both
        choices = (0..<7).map { _ in Choice.allCases.randomElement(using: &random) ?? .pass }
    }

    private func choice(_ signal: Signal) -> Choice {
        switch signal {
        case .set(let value): choices[(value ?? 3) % 4]
        case .flag(let flag): choices[flag ? 4 : 5]
        case .note: choices[6]
        }
    }

    /// Sends an event that is longer than `signal`, up to a maximal length, which ends the cascade.
    private func send(_ signal: Signal, _ what: String, _ system: Middleware<Board, Signal>.Context) {
        let text = signal.text
        if text.utf8.count < 8 { system.sendEvent(.note("\(text)\(name)\(what)")) }
    }

    func middleware(_ trace: Trace) -> Middleware<Board, Signal> {
        let before:
            @Sendable (Signal, Middleware<Board, Signal>.Context) -> Middleware<Board, Signal>.Decision = {
                signal, system in
                trace.add("\(name)> \(signal.text) of \(system.state.text)")
                switch choice(signal) {
                case .pass, .passToo, .sendAfter: return .pass
                case .replace: return .replace(.note("\(signal.text)=\(name)"))
                case .stop: return .stop
                case .sendBefore:
                    send(signal, "b", system)
                    return .pass
                case .stopAndSend:
                    send(signal, "c", system)
                    return .stop
                }
            }
        let after: @Sendable (Signal, Middleware<Board, Signal>.Context) -> Void = { signal, system in
            trace.add("\(name)< \(signal.text) of \(system.state.text)")
            if choice(signal) == .sendAfter { send(signal, "a", system) }
        }
        switch form {
        case .identity: return .identity
        case .before: return Middleware(before: before)
        case .after: return Middleware(after: after)
        case .both: return Middleware(before: before, after: after)
        }
    }
}
