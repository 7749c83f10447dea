/// A shortest sequence of steps that violates a property of a system, with the states and errors on the way.
public struct Counterexample<State: Sendable, Event: Sendable>: Sendable, CustomStringConvertible {
    enum Trouble: Sendable {
        /// A state violates the property.
        case state(StateText, isAtRest: Bool)
        /// Events are unprocessed, and no call or timer is pending that could change that.
        case stuck(running: String?, waiting: [String])
        /// A cascade of events exceeded its limit; this event was dropped.
        case endless(String)
        /// The system does not run on the world's scheduler.
        case otherScheduler
        /// `async` work created at these places awaits something outside the world.
        case outside([String])
        /// Work reschedules itself at one instant, without an end.
        case restless
        /// A property with a memory is violated, for this reason.
        case reason(String)
        /// The steps from this index on can repeat endlessly, and the property is not fulfilled.
        case cycle(from: Int)
        /// Steps were not executed on two paths, as their configurations were taken to be equal, and are not; or one path
        /// leads elsewhere each time.
        case merged(MergedPaths<State, Event>)
    }

    /// The name of the violated property; empty where ``merged`` tells what is wrong.
    public let property: String
    let trouble: Trouble

    /// The steps, each with the states and errors that followed from it; empty if the initial state violates the
    /// property.
    public let trace: [TraceEntry<State, Event>]

    /// The turn of a recorded session at which the steps begin; nil for the start of the system.
    let place: String?

    init(
        property: String, trouble: Trouble, trace: [TraceEntry<State, Event>], place: String? = nil
    ) { (self.property, self.trouble, self.trace, self.place) = (property, trouble, trace, place) }

    /// The indices of the last steps where they can repeat endlessly, on a fair path on which the property is never
    /// fulfilled; nil for any other violation.
    public var cycle: Range<Int>? {
        if case .cycle(let first) = trouble { first..<trace.count } else { nil }
    }

    /// The paths to what was taken to be one configuration and is not; nil for a violation of a property.
    public var merged: MergedPaths<State, Event>? {
        if case .merged(let paths) = trouble { paths } else { nil }
    }

    /// The steps, for ``Explorer/replay(_:fileID:filePath:line:column:)-(Step<Event>...,_,_,_,_)``.
    public var steps: [Step<Event>] { trace.map(\.step) }

    /// Whether the property is one that was declared, and not expected of every system.
    var isOfDeclaredProperty: Bool {
        switch trouble {
        case .state, .reason, .cycle: true
        case .stuck, .endless, .otherScheduler, .outside, .restless, .merged: false
        }
    }

    /// The steps as a call of `replay` that can be pasted into a test.
    public var script: String {
        guard !steps.isEmpty else { return "explorer.replay()" }
        return "explorer.replay(\n" + steps.map { "    \($0)" }.joined(separator: ",\n") + ")"
    }

    /// The violated property, the steps that lead to the violation, and the script that replays them.
    public var description: String {
        if steps.isEmpty || merged != nil { return report }
        return """
            \(report)

            Replay it, and keep it as a test:

            \(script.indented)
            """
    }

    /// The violated property and the steps that lead to the violation.
    var report: String {
        if let merged { return merged.description }
        return ([headline] + (trace.isEmpty ? [] : [trace.story()]) + fullState).joined(separator: "\n\n")
    }

    /// The violating state in full where it is too long for the headline.
    var fullState: [String] {
        guard case .state(let state, _) = trouble, let full = state.full else { return [] }
        return ["The state that breaks it:\n\n\(full.indented)"]
    }

    private func culprit(_ state: StateText) -> String {
        state.full == nil ? " It is broken by \(state)." : ""
    }

    /// The violated property and the state that violates it, in a sentence.
    var headline: String {
        let way =
            trace.isEmpty
            ? place.map { "on the way to \($0)" } ?? "at the start"
            : "after \(trace.count) step\(trace.count == 1 ? "" : "s")" + (place.map { " from \($0)" } ?? "")
        switch trouble {
        case .state(let state, isAtRest: true):
            return
                "\"\(property)\" does not hold \(way), at rest: nothing more happens by itself.\(culprit(state))"
        case .state(let state, isAtRest: false):
            return "\"\(property)\" does not hold \(way).\(culprit(state))"
        case .reason(let reason): return "\"\(property)\" does not hold \(way): \(reason)."
        case .cycle(let first):
            let steps =
                first == trace.count - 1 ? "step \(trace.count)" : "steps \(first + 1) to \(trace.count)"
            return "\"\(property)\" does not hold: \(steps) can repeat for ever, and it is never fulfilled."
        case .merged(let paths): return paths.headline
        case .endless(let event):
            return
                "The queue does not drain: \(way), a cascade of events exceeded its limit. \(event) was dropped."
        case .otherScheduler:
            return
                "The system does not run on the world's scheduler, so the exploration can neither drive nor "
                + "observe it. Build the system with scheduler: world.scheduler."
        case .outside(let origins):
            return
                "Work has left the scheduler: \(way), nothing more happens by itself, but async work is still running, "
                + "created at \(origins.joined(separator: ", ")). It awaits something outside virtual time, or a "
                + "promise that is never settled. Let it await a call of the world, or a promise with a delay."
        case .restless:
            return
                "Time does not pass: \(way), work schedules further work at one instant, without an end. Let it delay "
                + "what it repeats."
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
