/// A shortest way to break what is expected of a system.
public struct Counterexample<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    enum Trouble: Sendable {
        /// A state is not as expected.
        case state(StateText, isAtRest: Bool)
        /// Events have not had their turns, and nothing happens any more.
        case stuck(running: String?, waiting: [String])
        /// Events have begotten each other without an end, until this one was cut off.
        case endless(String)
        /// The system was built on another scheduler than the world's.
        case otherScheduler
        /// `async` work that was made here waits for something that is not in the world.
        case outside([String])
        /// The path was gone once more, and it went well.
        case notFoundAgain
        /// A path was gone once more, and a step was not possible.
        case astray
    }

    /// What was expected.
    public let property: String
    let trouble: Trouble

    /// What happened, step by step.
    public let trace: [TraceEntry<State, Event>]

    init(property: String, trouble: Trouble, trace: [TraceEntry<State, Event>]) {
        (self.property, self.trouble, self.trace) = (property, trouble, trace)
    }

    /// The steps, to be replayed with ``Explorer/replay(_:fileID:filePath:line:column:)-(Step<Event>...,_,_,_,_)``.
    public var steps: [Step<Event>] { trace.map(\.step) }

    /// The steps as a call that can be pasted into a test.
    public var script: String {
        guard !steps.isEmpty else { return "explorer.replay()" }
        return "explorer.replay(\n" + steps.map { "    \($0)" }.joined(separator: ",\n") + ")"
    }

    /// What was expected, what was seen and how, and what to do.
    public var description: String {
        if steps.isEmpty { return report }
        return """
            \(report)

            Replay it, and keep it as a test:

            \(script.indented)
            """
    }

    /// What was expected, what was seen and how.
    var report: String {
        ([headline] + (trace.isEmpty ? [] : [trace.story()]) + fullState).joined(separator: "\n\n")
    }

    private var fullState: [String] {
        guard case .state(let state, _) = trouble, let full = state.full else { return [] }
        return ["The state that breaks it:\n\n\(full.indented)"]
    }

    private var headline: String {
        let way = trace.isEmpty ? "at the start" : "after \(trace.count) step\(trace.count == 1 ? "" : "s")"
        switch trouble {
        case .state(let state, isAtRest: true):
            return
                "\"\(property)\" does not hold \(way), at rest: nothing more happens by itself. It is broken by "
                + "\(state)."
        case .state(let state, isAtRest: false):
            return "\"\(property)\" does not hold \(way). It is broken by \(state)."
        case .astray:
            return
                "A path was gone again, and a step was no longer possible: what happens does not follow from the steps "
                + "alone. Look for what paths share, or what is random."
        case .notFoundAgain:
            return
                "What was expected did not hold, and on the same path it did when it was gone again: what "
                + "happens does not follow from the steps alone. Look for what paths share, or what is random."
        case .endless(let event):
            return
                "The queue does not drain: \(way), events beget each other without an end. \(event) was cut off."
        case .otherScheduler:
            return
                "The system is on a scheduler of its own, and an exploration moves the world's: it sees nothing of what "
                + "happens. Build the system with scheduler: world.scheduler."
        case .outside(let origins):
            return
                "Work has left the scheduler: \(way), nothing more happens by itself, and async work is still open, made "
                + "at \(origins.joined(separator: ", ")). It waits for something outside virtual time, or for a promise "
                + "that nobody settles. Have it wait for a call of the world, or for a promise with a delay."
        case .stuck(let running, let waiting):
            let stuck = running.map { "the transition of \($0) is never over" } ?? "events wait"
            let behind =
                waiting.isEmpty
                ? "" : ", and behind it \(waiting.count == 1 ? "waits" : "wait") \(waiting.together)"
            return "The queue does not drain: \(way), nothing more happens by itself, \(stuck)\(behind)."
        }
    }
}

extension [String] {
    fileprivate var together: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + (last ?? "")
    }
}

extension String {
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
            .joined(separator: "\n")
    }
}
