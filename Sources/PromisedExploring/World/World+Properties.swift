public import PromisedSystem

// Properties of more than one state. Those of each state are declared with `always`, `wheneverSettled` and `atRest`.
extension World {
    /// Declares that a state satisfying a condition can be reached. If none is shown, the check fails, and the
    /// exploration has the gap ``Gap/neverSeen(_:)``.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
    ///     world.sometimes("five is reached") { $0 == 5 }
    ///     return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 6 })
    /// }
    /// explorer.check(depth: 3)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - holds: Returns whether a state satisfies the condition.
    public func sometimes(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .sometimes, holds)
    }

    /// Declares a property of every state that is shown before something happens. It need not happen: this is the weak
    /// until. Add ``eventually(_:_:)`` or ``responds(_:to:_:)`` if it must.
    ///
    /// For instance `world.always("no mail before sign-in", until: .event(Event.signedIn)) { $0.mail.isEmpty }`.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - begin: From when on the property is expected, each time. If nil, from the start, once.
    ///   - end: Until when the property is expected. A state that is shown by this need not satisfy it.
    ///   - holds: Returns whether a state satisfies the property.
    public func always(
        _ name: String, from begin: Trigger<State>? = nil, until end: Trigger<State>,
        _ holds: @escaping @Sendable (State) -> Bool
    ) {
        core.monitors.add(UntilMonitor(name, from: begin, until: end, holds: holds))
    }

    /// Declares that something does not happen twice: a call is not made again, an event is not processed again, a
    /// state is not entered again.
    ///
    /// For instance `world.neverTwice("one order", .call("order"), until: .event(Event.newCart))`. With
    /// `until: .end(of: "order")`, the call may be made again, but not while it is open.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - trigger: The occurrence that must not repeat.
    ///   - reset: After this, it may happen once again.
    public func neverTwice(_ name: String, _ trigger: Trigger<State>, until reset: Trigger<State>? = nil) {
        core.monitors.add(RepetitionMonitor(name, trigger, until: reset))
    }

    /// Declares that a state follows within some virtual time after something has happened. The clock is advanced to
    /// the end of that time, even if no timer is running: a call may take longer.
    ///
    /// For instance `world.responds("a search ends", to: .event(Event.search), within: .seconds(5)) { !$0.isSearching
    /// }`.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - trigger: The occurrence that requires a response.
    ///   - duration: The time within which the response is shown, its end included.
    ///   - holds: Returns whether a state is the response. It counts from the moment of the trigger.
    public func responds(
        _ name: String, to trigger: Trigger<State>, within duration: Duration,
        _ holds: @escaping @Sendable (State) -> Bool
    ) {
        core.monitors.add(ResponseMonitor(name, to: trigger, within: .time(duration), holds: holds))
    }

    /// Declares that a state follows within a number of steps after something has happened.
    ///
    /// For instance `world.responds("it is shown", to: .answer("search", "found"), withinSteps: 0) { $0.isFound }`.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - trigger: The occurrence that requires a response.
    ///   - steps: The number of further steps; 0 for the same step.
    ///   - holds: Returns whether a state is the response. It counts from the moment of the trigger.
    public func responds(
        _ name: String, to trigger: Trigger<State>, withinSteps steps: Int,
        _ holds: @escaping @Sendable (State) -> Bool
    ) {
        core.monitors.add(ResponseMonitor(name, to: trigger, within: .steps(steps), holds: holds))
    }

    /// Declares that a state follows, sooner or later, after something has happened, on every fair path: "leads to".
    /// See ``eventually(_:_:)``.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - trigger: The occurrence that requires a response.
    ///   - holds: Returns whether a state is the response. It counts from the moment of the trigger.
    public func responds(
        _ name: String, to trigger: Trigger<State>, _ holds: @escaping @Sendable (State) -> Bool
    ) {
        core.monitors.add(ResponseMonitor(name, to: trigger, within: .fairness, holds: holds))
    }

    /// Declares that a state comes, and comes again, on every fair path: from any state, the system always gets
    /// there without further events. "Loading always ends" is such a property.
    ///
    /// A path is fair if each call that stays open is answered sooner or later, with an outcome other than
    /// ``Outcome/never``, and if time passes. No event has to be sent. A counterexample ends at rest, or with steps
    /// that can repeat endlessly: ``Counterexample/cycle``.
    ///
    /// Cycles are found where configurations are compared, after the exploration, in the part that was explored.
    ///
    /// <!-- fence: run -->
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// struct Offline: Error {}
    ///
    /// let explorer = Explorer<String, String>(events: ["load"]) { world in
    ///     world.eventually("loading ends") { $0 != "loading" }
    ///     return System(
    ///         initialState: "idle", scheduler: world.scheduler,
    ///         reducer: Reducer { $0 = $1 == "load" ? "loading" : $1 },
    ///         feedbacks: [
    ///             .onEvent({ $0 == "load" ? true : nil }, policy: .drop) { _ in
    ///                 world.call("get", .value("page"), .error(Offline())).mapErrorRecover { _ in "load" }
    ///             }
    ///         ])
    /// }
    /// if let found = explorer.explore(depth: 5).counterexample, let cycle = found.cycle {
    ///     for step in found.steps[cycle] { print(step) }
    /// }
    /// ```
    ///
    /// ```text output
    /// .answer("get", "Offline")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - holds: Returns whether a state is the expected one.
    public func eventually(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        core.monitors.add(RecurrenceMonitor(name, holds: holds))
    }

    /// Bounds the exploration: configurations whose shown state does not satisfy the condition are not expanded. For
    /// counters, lists and identifiers that grow endlessly. It is a gap, ``Gap/bound(_:)``, where it is reached.
    ///
    /// - Parameters:
    ///   - name: The bound in a few words, for reports.
    ///   - holds: Returns whether a state is within the bound.
    public func bound(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .bound, holds)
    }
}

// Several systems in one world.
extension World {
    /// Declares a property of every state that another system of this world shows, settled or loading.
    ///
    /// A relation of several systems is a property at rest, or of the system that shows it last: the closure may read
    /// the states of the others.
    ///
    /// - Parameters:
    ///   - name: The property in a few words, for reports.
    ///   - system: A system on the world's scheduler that has not processed an event yet.
    ///   - holds: Returns whether a state satisfies the property.
    public func always<Other, Input>(
        _ name: String, of system: System<Other, Input>, _ holds: @escaping @Sendable (Other) -> Bool
    ) {
        let record = core.record
        let check: @Sendable (Other, Bool) -> Void = { [weak record] state, isLoading in
            guard let record, !record.inspecting({ holds(state) }) else { return }
            let text = StateText(state, isLoading: isLoading)
            record.add(Violation(property: name, kind: .state(text, isAtRest: false)))
        }
        check(system.state, false)
        record.observe(system, shown: check)
        expect(name, .other) { _ in true }
    }

    /// Declares something else that may happen in every configuration: an event of another system, or a change outside.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1]) { world in
    ///     let basket = System<Int, Int>(
    ///         initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 })
    ///     world.action("into the basket") { basket.sendEvent(1) }
    ///     world.always("two fit in", of: basket) { $0 <= 2 }
    ///     return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 3 })
    /// }
    /// print(explorer.check(depth: 10).configurations)
    /// // 9
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in scripts. A further action of the same name has a number: `"add 2"`.
    ///   - body: The action, invoked any number of times on a path. It may send events to a system of this world, and change
    ///     variables of the world.
    public func action(_ name: String, _ body: @escaping @Sendable () -> Void) {
        core.add(name, action: body)
    }
}
