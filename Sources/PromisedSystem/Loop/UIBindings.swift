/// The bindings that a system is made with: what `uiBindings:` takes.
///
/// An array literal is one. Each of its closures keeps the actor that it belongs to, and nil is skipped:
///
/// ```swift
/// let log: (@Sendable (Int) -> Void)? = nil
/// let counter = System<Int, Int>(
///     initialState: 0, scheduler: .immediate, uiBindings: [{ print("shown", $0) }, log]
/// ) { .value($0 + $1) }
/// counter.sendEvent(1)
/// ```
///
/// An array in a variable, or one that a function returns, is given to `uiBindings:` as it is:
///
/// <!-- fence: run -->
/// ```swift
/// import PromisedSystem
///
/// func bindings() -> [(@Sendable (Int) -> Void)?] { [{ print("shown", $0) }, nil] }
///
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate, uiBindings: bindings()) { .value($0 + $1) }
/// counter.sendEvent(1)
/// ```
///
/// The compiler converts an array of one type of closures to an array of another by a cast that fails at run time.
/// This type is not converted to from an array: each closure is, by itself.
public struct UIBindings<State: Sendable>: ExpressibleByArrayLiteral, Sendable {
    @usableFromInline let all: [@isolated(any) @Sendable (State) -> Void]

    /// - Parameter bindings: Called with every state; nil entries are skipped.
    public init(arrayLiteral bindings: (@isolated(any) @Sendable (State) -> Void)?...) {
        all = bindings.compactMap { $0 }
    }

    /// - Parameter bindings: Called with every state, on the system's scheduler; nil entries are skipped.
    public init(_ bindings: some Sequence<(@Sendable (State) -> Void)?>) {
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { state in binding(state) }
        }
    }

    /// - Parameter bindings: Called with every state, on the main actor; nil entries are skipped.
    public init(_ bindings: some Sequence<(@MainActor (State) -> Void)?>) {
        // In a closure of its own: the compiler's own conversion makes one that crashes.
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { @MainActor state in binding(state) }
        }
    }

    /// - Parameter bindings: Called with every state, on the main actor, as they do not say where they belong; nil entries
    ///   are skipped.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    public init(_ bindings: sending some Sequence<((State) -> Void)?>) {
        self.init(MainBindings(unmarked: bindings))
    }

    /// - Parameter bindings: Called with every state, each where it belongs; nil entries are skipped.
    public init(_ bindings: some Sequence<(@isolated(any) @Sendable (State) -> Void)?>) {
        all = bindings.compactMap { $0 }
    }
}

/// The bindings that a system on the main queue is made with: what `uiBindings:` of ``System/pure`` takes.
///
/// As ``UIBindings``; all of its closures belong to the main actor, and may touch what does.
public struct MainBindings<State: Sendable>: ExpressibleByArrayLiteral, Sendable {
    let all: [@MainActor (State) -> Void]

    /// - Parameter bindings: Called with every state; nil entries are skipped.
    public init(arrayLiteral bindings: (@MainActor (State) -> Void)?...) { all = bindings.compactMap { $0 } }

    /// - Parameter bindings: Called with every state; nil entries are skipped.
    public init(_ bindings: some Sequence<(@MainActor (State) -> Void)?>) { all = bindings.compactMap { $0 } }

    /// - Parameter bindings: Called with every state; nil entries are skipped.
    public init(_ bindings: some Sequence<(@Sendable (State) -> Void)?>) {
        all = bindings.compactMap { binding in
            guard let binding else { return nil }
            return { state in binding(state) }
        }
    }

    /// - Parameter bindings: Called with every state; nil entries are skipped.
    @available(swift, obsoleted: 6, message: "Say '@MainActor' or '@Sendable' in the type of the closures.")
    public init(_ bindings: sending some Sequence<((State) -> Void)?>) { self.init(unmarked: bindings) }

    init(unmarked bindings: sending some Sequence<((State) -> Void)?>) {
        // In one closure: they may share what belongs to no actor, and go to the main actor together.
        let bindings = bindings.compactMap { $0 }
        all = [{ @MainActor state in for binding in bindings { binding(state) } }]
    }
}

extension UIBindings {
    init(_ bindings: MainBindings<State>) {
        self.init(bindings.all.map { $0 as (@MainActor (State) -> Void)? })
    }
}
