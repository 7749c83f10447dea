public import Promise

/// What is around a system that is explored: its clock, the calls that it makes, and what must hold of it.
///
/// Each path of an exploration has a world of its own, and builds the system anew in it.
public final class World<State: Sendable>: Sendable {
    @usableFromInline let core: WorldCore
    @usableFromInline let properties = Lock<[Property]>([])

    @usableFromInline
    struct Property: Sendable {
        @usableFromInline
        enum Time: Sendable { case always, settled, rest }

        @usableFromInline let name: String
        @usableFromInline let time: Time
        @usableFromInline let holds: @Sendable (State) -> Bool

        @usableFromInline
        init(name: String, time: Time, holds: @escaping @Sendable (State) -> Bool) {
            (self.name, self.time, self.holds) = (name, time, holds)
        }
    }

    @usableFromInline
    init(_ core: WorldCore) { self.core = core }

    /// The scheduler for the system: its time passes when the exploration says so.
    public var scheduler: TestScheduler { core.scheduler }

    // MARK: What may happen

    /// A call to something outside. When its promise is started it is open, until one of its outcomes is chosen; all of
    /// them are tried, at every moment.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// struct Offline: Error {}
    ///
    /// let explorer = Explorer<Int, String>(events: ["save"]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler) { count, _ in
    ///         world.call("save", .value(min(count + 1, 3)), .error(Offline()))
    ///     }
    /// }
    /// print(explorer.explore(depth: 8).states)
    /// // [0, 1, 2, 3]
    /// ```
    ///
    /// - Parameters:
    ///   - name: What it is called in scripts.
    ///   - outcomes: How it may turn out. With ``Outcome/cancelled`` it may be cancelled from outside. A call that the
    ///     system cancels is closed.
    @inlinable
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: Outcome<Value>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> { call(name, outcomes, file: file, line: line) }

    /// A call to something outside, with outcomes in an array.
    ///
    /// - Parameters:
    ///   - name: What it is called in scripts.
    ///   - outcomes: How it may turn out.
    @inlinable
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: [Outcome<Value>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        Promise(
            { [core] resolver in
                let number = core.open(
                    name, outcomes.map { WorldCall.Answer($0, resolver) },
                    giveUp: { resolver.reject(CancellationError()) })
                resolver.onCancel { [weak core] in core?.withdraw(number) }
            }, file: file, line: line)
    }

    /// Something that the world remembers: part of what tells one moment from another.
    ///
    /// - Parameter initial: What is there at the beginning of each path.
    public func variable<Value: Hashable & Sendable>(_ initial: Value) -> WorldVariable<Value> {
        let numbers = core.numbers
        let variable = WorldVariable(initial) { [weak core] value in
            if let numbers { core?.noteRead(of: numbers.number(of: value)) }
        }
        core.remember { $0.number(of: variable.present) }
        return variable
    }

    // MARK: What must hold

    /// Expects something of every state that is shown: settled ones and loading ones.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func always(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .always, holds)
    }

    /// Expects something of every state that a transition settles on, and of the initial one.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func wheneverSettled(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .settled, holds)
    }

    /// Expects something of the state that is shown when nothing more happens by itself: all calls are answered or will
    /// never be, no timer is running. "No spinner is left" is said with this.
    ///
    /// That nothing waits in the queue then is expected of every system.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func atRest(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .rest, holds)
    }

    private func expect(_ name: String, _ time: Property.Time, _ holds: @escaping @Sendable (State) -> Bool) {
        properties.withLock { $0.append(Property(name: name, time: time, holds: holds)) }
    }

    /// The first thing that was expected of a state and does not hold.
    @inlinable
    func violation(by state: State, isLoading: Bool, isAtRest: Bool) -> Violation? {
        for property in properties.withLock({ $0 }) where (property.time == .rest) == isAtRest {
            if property.time == .settled, isLoading { continue }
            if core.looking({ property.holds(state) }) { continue }
            return Violation(
                property: property.name,
                kind: .state(StateText(state, isLoading: isLoading), isAtRest: isAtRest))
        }
        return nil
    }
}
