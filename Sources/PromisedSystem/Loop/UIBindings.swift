/// The bindings passed to `uiBindings:` when a system is created: closures called with every shown state.
///
/// It is written as an array literal. Each closure keeps its actor isolation, and nil entries are skipped:
///
/// ```swift
/// let log: (@Sendable (Int) -> Void)? = nil
/// let counter = System<Int, Int>(
///     initialState: 0, scheduler: .immediate, uiBindings: [{ print("shown", $0) }, log]
/// ) { .value($0 + $1) }
/// counter.sendEvent(1)
/// ```
///
/// An array in a variable, or one that a function returns, is passed with `.init`:
///
/// <!-- fence: run -->
/// ```swift
/// import PromisedSystem
///
/// func bindings() -> [(@Sendable (Int) -> Void)?] { [{ print("shown", $0) }, nil] }
///
/// let counter = System<Int, Int>(initialState: 0, uiBindings: .init(bindings())) { .value($0 + $1) }
/// counter.sendEvent(1)
/// ```
///
/// The type exists because the compiler converts an array of closures of one type to an array of another by a cast
/// that fails at run time. With a literal of this type, each closure is converted by itself.
public struct UIBindings<State: Sendable>: ExpressibleByArrayLiteral, Sendable {
    @usableFromInline let all: [@isolated(any) @Sendable (State) -> Void]

    /// Creates bindings from an array literal.
    ///
    /// - Parameter bindings: Called with every shown state, each with its own isolation; nil entries are skipped.
    public init(arrayLiteral bindings: (@isolated(any) @Sendable (State) -> Void)?...) {
        all = bindings.compactMap { $0 }
    }

    /// Creates bindings from nonisolated closures.
    ///
    /// - Parameter bindings: Called with every shown state, on the system's scheduler; nil entries are skipped.
    public init(_ bindings: some Sequence<(@Sendable (State) -> Void)?>) {
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { state in binding(state) }
        }
    }

    /// Creates bindings from main-actor closures.
    ///
    /// - Parameter bindings: Called with every shown state, on the main actor; nil entries are skipped.
    public init(_ bindings: some Sequence<(@MainActor (State) -> Void)?>) {
        // Wrapped in a closure: the compiler's implicit conversion produces one that crashes.
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { @MainActor state in binding(state) }
        }
    }

    /// Creates bindings from closures of an unannotated type, which are called on the main actor.
    ///
    /// - Parameter bindings: Called with every shown state, on the main actor; nil entries are skipped.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    public init(_ bindings: sending some Sequence<((State) -> Void)?>) {
        self.init(MainBindings(unmarked: bindings))
    }

    /// Creates bindings from closures of any isolation.
    ///
    /// - Parameter bindings: Called with every shown state, each with its own isolation; nil entries are skipped.
    public init(_ bindings: some Sequence<(@isolated(any) @Sendable (State) -> Void)?>) {
        all = bindings.compactMap { $0 }
    }
}

/// The bindings passed to `uiBindings:` of `System.pure`: closures called on the main actor with every shown state.
///
/// Like ``UIBindings``, but every closure is isolated to the main actor, and may use main-actor state.
public struct MainBindings<State: Sendable>: ExpressibleByArrayLiteral, Sendable {
    let all: [@MainActor (State) -> Void]

    /// Creates bindings from an array literal.
    ///
    /// - Parameter bindings: Called with every shown state; nil entries are skipped.
    public init(arrayLiteral bindings: (@MainActor (State) -> Void)?...) { all = bindings.compactMap { $0 } }

    /// Creates bindings from main-actor closures.
    ///
    /// - Parameter bindings: Called with every shown state; nil entries are skipped.
    public init(_ bindings: some Sequence<(@MainActor (State) -> Void)?>) { all = bindings.compactMap { $0 } }

    /// Creates bindings from nonisolated closures, which are called on the main actor all the same.
    ///
    /// - Parameter bindings: Called with every shown state; nil entries are skipped.
    public init(_ bindings: some Sequence<(@Sendable (State) -> Void)?>) {
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { state in binding(state) }
        }
    }

    /// Creates bindings from closures of an unannotated type, which are called on the main actor.
    ///
    /// - Parameter bindings: Called with every shown state; nil entries are skipped.
    @available(swift, obsoleted: 6, message: "Add '@MainActor' or '@Sendable' to the type of the closures.")
    public init(_ bindings: sending some Sequence<((State) -> Void)?>) { self.init(unmarked: bindings) }

    init(unmarked bindings: sending some Sequence<((State) -> Void)?>) {
        // In one closure: they may share non-Sendable state, so they are sent to the main actor together.
        let bindings = bindings.compactMap { $0 }
        all = [{ @MainActor state in for binding in bindings { binding(state) } }]
    }
}

extension UIBindings {
    init(_ bindings: MainBindings<State>) {
        self.init(bindings.all.map { $0 as (@MainActor (State) -> Void)? })
    }
}
