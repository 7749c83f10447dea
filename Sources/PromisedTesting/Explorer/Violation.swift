internal import PromisedSystem

/// That something was expected, and is not so.
struct Violation<State: Sendable, Event: Sendable>: Sendable {
    enum Kind: Sendable {
        /// A state breaks what was expected of it.
        case state(World<State>.Property.Time, Shown<State>)
        /// Nothing happens any more, and these have not had their turns; the first may be in the middle of its.
        case stuck(running: String?, waiting: [String])
    }

    let property: String
    let kind: Kind

    /// - Parameter shown: What was shown in the last step.
    init?(of run: ExplorationRun<State, Event>, by shown: [Shown<State>]) {
        let properties = run.world.properties
        for shown in shown {
            for property in properties where property.time != .rest {
                if property.time == .settled, shown.isLoading { continue }
                guard !property.holds(shown.state) else { continue }
                self.init(property: property.name, kind: .state(property.time, shown))
                return
            }
        }
        guard run.isAtRest else { return nil }
        if let stuck = Self.stuck(run) {
            self = stuck
            return
        }
        let latest = run.latest
        for property in properties where property.time == .rest && !property.holds(latest.state) {
            self.init(property: property.name, kind: .state(.rest, latest))
            return
        }
        return nil
    }

    private init(property: String, kind: Kind) { (self.property, self.kind) = (property, kind) }

    private static func stuck(_ run: ExplorationRun<State, Event>) -> Violation? {
        guard let position = run.system.position, position.turn != nil || !position.waiting.isEmpty
        else { return nil }
        return Violation(
            property: "the queue drains",
            kind: .stuck(
                running: run.runningEvent.map { "\(SourceText($0))" },
                waiting: position.waiting.map { "\(SourceText($0.event))" }))
    }
}
