public import Promise
internal import PromisedSystem
public import PromisedTesting

/// The part of a world that does not depend on the state type: its clock, its calls and its variables.
@usableFromInline
final class WorldCore: Sendable {
    @usableFromInline let scheduler = TestScheduler()
    let monitors = Monitors()
    /// How the calls of endpoints may turn out.
    let outcomes = Lock(EndpointOutcomes())
    /// The recorded turn from which the world is explored; nil if there is none.
    let start = Lock<RecordedStart?>(nil)
    private let interface = Lock(Interface())

    private struct Interface: Sendable {
        /// Sorted by name, and then by age.
        var open: [WorldCall] = []
        /// Calls that are never answered: work that awaits them stays pending.
        var silent: [WorldCall] = []
        var opened = 0
        var labels = CallLabels()
        var variables: [Variable] = []
        var actions: [(name: String, body: @Sendable () -> Void)] = []
        /// The labels of the calls that the system has cancelled.
        var withdrawn: Set<String> = []
    }

    /// Access to a variable that does not depend on its type.
    struct Variable: Sendable {
        let number: @Sendable (WorldNumbers) -> Int
        /// Sets the value with a number.
        let set: @Sendable (Int, WorldNumbers) -> Void
    }

    @usableFromInline let record: PathRecord

    @usableFromInline
    init(_ findings: Findings) {
        record = PathRecord(scheduler, findings)
        scheduler.observe(by: record)
        scheduler.callHost = self
    }

    // MARK: Variables

    /// Makes a variable part of every configuration.
    func remember(_ variable: Variable) { interface.withLock { $0.variables.append(variable) } }

    /// The calls that can be answered, sorted by name and then by age, the variables, and the number of actions.
    var contents: (calls: [WorldCall], variables: [Variable], actions: Int) {
        interface.withLock { ($0.open, $0.variables, $0.actions.count) }
    }

    func set(variables values: some Sequence<Int>) {
        guard let numbers = record.findings.numbers else { return }
        for (variable, value) in zip(interface.withLock({ $0.variables }), values) {
            variable.set(value, numbers)
        }
    }

    // MARK: Actions

    func add(_ name: String, action: @escaping @Sendable () -> Void) {
        interface.withLock { contents in
            let names = (contents.actions.map(\.name) + [name]).madeUnique
            contents.actions.append((names[names.count - 1], action))
        }
    }

    /// The names of the actions, in the order of their declaration.
    var actions: [String] { interface.withLock { $0.actions.map(\.name) } }

    func perform(_ action: Int) { interface.withLock { $0.actions[action].body }() }

    // MARK: Calls

    /// The calls that can be answered, sorted by name and then by age.
    var openCalls: [WorldCall] { interface.withLock { $0.open } }

    /// Creates a promise that is a call from when it is started.
    ///
    /// - Parameter recorded: The index of the recorded call that it is.
    @inlinable
    func call<Value>(
        _ name: String, _ outcomes: [Outcome<Value>], recorded: Int? = nil, at origin: Origin
    ) -> Promise<Value> {
        begin(at: origin) { core, resolver, scheduler in
            let number = core.open(
                name, outcomes.map { WorldCall.Answer($0, resolver) }, recorded: recorded, on: scheduler,
                giveUp: { resolver.reject(CancellationError()) })
            resolver.onCancel { [weak core] in core?.withdraw(number) }
        }
    }

    @usableFromInline
    func begin<Value>(
        at origin: Origin,
        _ open: @escaping @Sendable (WorldCore, Resolver<Value>, any SerialScheduler) -> Void
    ) -> Promise<Value> {
        Promise(origin: origin) { [self] resolver, scheduler in open(self, resolver, scheduler) }
    }

    /// - Parameter scheduler: The scheduler of the chain, by which the call belongs to the work that has started it.
    /// - Returns: The number of the call.
    @usableFromInline
    func open(
        _ name: String, _ outcomes: [WorldCall.Answer], recorded: Int?, on scheduler: any SerialScheduler,
        giveUp: @escaping @Sendable () -> Void
    ) -> Int {
        let owner = scheduler as? WorkItem ?? record.currentWork
        let place = owner?.opensCall()
        // Its answers are its own: the work differs from work alike that makes another call of that name.
        if let recorded { owner?.learn(.recorded, recorded) }
        record.acts()
        defer { notices(.opens(name)) }
        record.findings.noteCall(name, outcomes)
        return interface.withLock { contents in
            contents.opened += 1
            let call = WorldCall(
                number: contents.opened, name: name, nth: contents.labels.next(name), owner: owner,
                place: place ?? 0, recorded: recorded, outcomes: outcomes, giveUp: giveUp)
            if outcomes.isEmpty {
                contents.silent.append(call)
            } else {
                let index = contents.open.firstIndex { name < $0.name } ?? contents.open.count
                contents.open.insert(call, at: index)
            }
            return contents.opened
        }
    }

    /// The number of calls that were opened so far, which is also the number of the last one.
    var opened: Int { interface.withLock { $0.opened } }

    /// Whether calls that are never answered are still awaited.
    var hasSilentCalls: Bool { interface.withLock { !$0.silent.isEmpty } }

    /// The work that waits for calls that are never answered.
    var silentOwners: [WorkItem] { interface.withLock { $0.silent.compactMap(\.owner) } }

    /// The calls without an answer that were left without one by choice: what awaits them may still give up.
    var unansweredCalls: [WorldCall] { interface.withLock { $0.silent.filter { $0.count > 0 } } }

    var callsWithoutOutcomes: [WorldCall] { interface.withLock { $0.silent.filter { $0.total == 0 } } }

    /// Whether the system has cancelled the call with this label: a later answer is ignored.
    func isWithdrawn(_ label: String) -> Bool { interface.withLock { $0.withdrawn.contains(label) } }

    /// Closes a call that the system has cancelled.
    @usableFromInline
    func withdraw(_ number: Int) {
        let call = interface.withLock { contents -> WorldCall? in
            if let place = contents.open.firstIndex(where: { $0.number == number }) {
                contents.withdrawn.insert(contents.open[place].label)
                return contents.open.remove(at: place)
            }
            return contents.silent.firstIndex { $0.number == number }.map { contents.silent.remove(at: $0) }
        }
        // Released outside the lock, because its deinitialization may call back.
        withExtendedLifetime(call) {}
        if let call { notices(.closes(call.name)) }
    }

    /// Answers a call. Synchronous work has run on return; scheduled work has not.
    func answer(_ index: Int, with choice: Int) {
        let call = interface.withLock { contents in
            let call = contents.open[index]
            switch call[choice].kind {
            case .report:
                contents.open[index] = call.spending(choice)
                if contents.open[index].count == 0 { contents.silent.append(contents.open.remove(at: index)) }
            case .result: contents.open.remove(at: index)
            case .never: contents.silent.append(contents.open.remove(at: index))
            }
            return call
        }
        record.findings.noteAnswer(call.name, call.place(of: choice), of: call.total)
        notices(.answers(call.name, call.outcome(choice)))
        if call[choice].kind == .result { notices(.closes(call.name)) }
        // Outside the lock: releasing the call releases its unused outcomes, whose deinitialization may call back.
        call[choice].give()
    }

    /// Closes the world: rejects every open call with a `CancellationError`, and releases variables and observers.
    func end() {
        let contents = interface.withLock { contents in
            defer { contents = Interface() }
            return contents
        }
        monitors.removeAll()
        outcomes.exchange(for: EndpointOutcomes())
        withExtendedLifetime(start.exchange(for: nil)) {}
        for call in contents.open + contents.silent { call.giveUp() }
    }
}
