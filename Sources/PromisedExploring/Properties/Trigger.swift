/// Something that may happen during a step, to which a property with a memory refers.
///
/// ```swift
/// import PromisedExploring
/// import PromisedSystem
///
/// enum Event: Hashable { case buy, paid }
///
/// let explorer = Explorer<Int, Event>(events: [.buy]) { world in
///     world.neverTwice("an order is paid once at a time", .call("pay"), until: .end(of: "pay"))
///     return System(
///         initialState: 0, scheduler: world.scheduler,
///         reducer: Reducer { count, event in if event == .paid { count = 1 } },
///         feedbacks: [
///             .onEvent({ $0 == .buy ? true : nil }, policy: .drop) { _ in
///                 world.call("pay", .value(.paid))
///             }
///         ])
/// }
/// print(explorer.check(depth: 5).isComplete)
/// ```
public struct Trigger<State: Sendable>: Sendable {
    let matches: @Sendable (MonitoredEvent) -> Bool
    /// Whether it is a property of a state, which lasts, and not something that happens at one moment.
    let lasts: Bool

    private init(lasts: Bool = false, _ matches: @escaping @Sendable (MonitoredEvent) -> Bool) {
        (self.matches, self.lasts) = (matches, lasts)
    }

    /// A state is shown, settled or loading, that satisfies a condition.
    public static func state(_ holds: @escaping @Sendable (State) -> Bool) -> Trigger {
        Trigger(lasts: true) { happening in
            guard case .shows(let state, _) = happening, let state = state as? State else { return false }
            return holds(state)
        }
    }

    /// This event is processed, whether it was sent by a step or by an effect.
    public static func event<Event: Equatable & Sendable>(_ event: Event) -> Trigger {
        self.event { (other: Event) in other == event }
    }

    /// An event is processed that satisfies a condition.
    ///
    /// - Parameter isMeant: The condition; its parameter needs a type, as in `{ (event: Event) in … }`.
    public static func event<Event: Sendable>(where isMeant: @escaping @Sendable (Event) -> Bool) -> Trigger {
        Trigger { happening in
            guard case .processes(let event) = happening, let event = event as? Event else { return false }
            return isMeant(event)
        }
    }

    /// A call of this name is made.
    public static func call(_ name: String) -> Trigger {
        Trigger { if case .opens(name) = $0 { true } else { false } }
    }

    /// A call of this name is answered with the outcome of this name.
    public static func answer(_ call: String, _ outcome: String) -> Trigger {
        Trigger { if case .answers(call, outcome) = $0 { true } else { false } }
    }

    /// A call of this name is over: it was fulfilled, rejected or cancelled.
    public static func end(of call: String) -> Trigger {
        Trigger { if case .closes(call) = $0 { true } else { false } }
    }
}

/// An occurrence in the explored system or its world, as a property with a memory observes it.
enum MonitoredEvent: Sendable {
    case shows(any Sendable, isLoading: Bool)
    case processes(any Sendable)
    case opens(String)
    case answers(String, String)
    case closes(String)
}
