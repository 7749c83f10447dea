public import Promise
public import PromisedSystem
public import PromisedTesting
public import Synchronization

/// The environment of a system that is explored: its clock, the calls that it makes, and the properties that must hold.
///
/// Each path of an exploration gets a new world, and builds a new system in it.
public final class World<State: Sendable>: Sendable {
    @usableFromInline let core: WorldCore
    @usableFromInline let properties = Lock<[Property]>([])
    /// The times of the properties, as bits.
    @usableFromInline let times = Atomic<UInt8>(0)

    @usableFromInline
    struct Property: Sendable {
        @usableFromInline
        enum Time: UInt8, Sendable {
            case always, settled, rest, sometimes, bound
            /// Checked for the states of another system, where it is declared.
            case other

            /// Whether a state that does not satisfy the property violates it.
            @usableFromInline
            func isChecked(atRest: Bool) -> Bool {
                switch self {
                case .always, .settled: !atRest
                case .rest: atRest
                case .sometimes, .bound, .other: false
                }
            }
        }

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

    /// The scheduler for the system. The exploration advances its virtual clock.
    public var scheduler: TestScheduler { core.scheduler }

    // MARK: Calls and variables

    /// Makes a call to something outside the system. The call is open from the start of its promise until one of its
    /// outcomes is chosen; the exploration tries each outcome in every configuration.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
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
    ///   - name: The name in scripts.
    ///   - outcomes: The ways in which the call may turn out. With ``Outcome/cancelled`` it may also be cancelled from
    ///     outside. A call that the system cancels is closed.
    @inlinable
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: Outcome<Value>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> { call(name, outcomes, file: file, line: line) }

    /// Makes a call to something outside the system, with the outcomes in an array.
    ///
    /// - Parameters:
    ///   - name: The name in scripts.
    ///   - outcomes: The ways in which the call may turn out. A call without outcomes is never answered.
    @inlinable
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: [Outcome<Value>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> { core.call(name, outcomes, at: Origin(file, line)) }

    /// Creates a variable outside the system. Its value is part of every configuration.
    ///
    /// - Parameter initial: The value at the start of each path.
    public func variable<Value: Hashable & Sendable>(_ initial: Value) -> WorldVariable<Value> {
        let (record, numbers) = (core.record, core.record.findings.numbers)
        let variable = WorldVariable(initial) { [weak record] value in
            if let numbers { record?.reads(numbers.number(of: value)) }
        } noteWrite: { [weak record] in
            record?.acts()
        }
        core.remember(
            .init(
                number: { $0.number(of: variable.present) },
                set: { number, numbers in
                    if let value = numbers.value(number) as? Value { variable.set(value) }
                }))
        return variable
    }

    // MARK: Properties

    /// Declares a property of every state that is shown, settled or loading.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - holds: Returns whether a state satisfies the property.
    public func always(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .always, holds)
    }

    /// Declares a property of the initial state and of every state on which a transition settles.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - holds: Returns whether a state satisfies the property.
    public func wheneverSettled(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .settled, holds)
    }

    /// Declares a property of the state that is shown at rest: no call can be answered any more and no timer is
    /// running, so only an event could change something. "No spinner is left" is such a property.
    ///
    /// That the queue is empty at rest is checked for every system.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - holds: Returns whether a state satisfies the property.
    public func atRest(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .rest, holds)
    }

    func expect(_ name: String, _ time: Property.Time, _ holds: @escaping @Sendable (State) -> Bool) {
        properties.withLock { $0.append(Property(name: name, time: time, holds: holds)) }
        times.bitwiseOr(1 << time.rawValue, ordering: .relaxed)
    }

    /// Whether there is a property of this kind.
    @inlinable
    func declares(_ time: Property.Time) -> Bool { times.load(ordering: .relaxed) & 1 << time.rawValue != 0 }

    /// Notes the declarations, to report those never checked or never seen.
    @usableFromInline
    func noteDeclarations(_ system: System<State, some Sendable>) {
        let (properties, findings) = (properties.withLock { $0 }, core.record.findings)
        // Closures: in generic code, a key path is looked up at run time.
        func names(_ time: Property.Time?) -> [String] {
            properties.compactMap { time == nil || $0.time == time ? $0.name : nil }
        }
        findings.expect(
            names(nil) + core.monitors.properties,
            names(.rest).map(Gap.neverAtRest) + names(.sometimes).map(Gap.neverSeen)
                + core.monitors.conditional.map(Gap.neverTriggered))
        let actions = core.actions
        findings.cover { covered in
            for origin in system.feedbackOrigins { covered.add(origin, hasStarted: false) }
            covered.actions = actions
        }
    }

    /// The first bound that a state does not satisfy, or nil.
    @usableFromInline
    func bound(exceededBy state: State) -> String? {
        properties.withLock { $0 }.first { property in
            property.time == .bound && !core.record.inspecting { property.holds(state) }
        }?.name
    }

    /// Passes a shown state to the properties that are not those at rest.
    ///
    /// - Returns: The first of them that it violates, or nil.
    @inlinable
    func violation(byShown state: State, isLoading: Bool) -> Violation? {
        if core.hasMonitors { core.notices(shown: state, isLoading: isLoading) }
        if times.load(ordering: .relaxed) == 0 { return nil }
        for property in properties.withLock({ $0 }) where property.time == .sometimes {
            if core.record.isSeen(property.name) { continue }
            if core.record.inspecting({ property.holds(state) }) { core.record.notesSeen(property.name) }
        }
        return violation(by: state, isLoading: isLoading, isAtRest: false)
    }

    /// The first declared property that a state violates, or nil.
    @inlinable
    func violation(by state: State, isLoading: Bool, isAtRest: Bool) -> Violation? {
        for property in properties.withLock({ $0 }) where property.time.isChecked(atRest: isAtRest) {
            if property.time == .settled, isLoading { continue }
            if core.record.ignores(property.name) { continue }
            if core.record.inspecting({ property.holds(state) }) { continue }
            return Violation(
                property: property.name,
                kind: .state(StateText(state, isLoading: isLoading), isAtRest: isAtRest))
        }
        return nil
    }
}
