internal import Promise
internal import PromisedModels

/// A store whose changes have to be accounted for: that under test, or that of a model that is a dependency of it.
protocol AnyAccount: AnyObject, Sendable {
    /// The name of the models at the root.
    var name: String { get }
    /// The difference from the last asserted state, as a text; nil if there is none.
    var difference: String? { get }
    var runningTasks: [(model: String, origin: Origin)] { get }
    func contains(_ model: some Model) -> Bool
    /// The state of a model as it was asserted; nil if it was not.
    func asserted<M: Model>(_ model: M) -> M.State?
    func accept<M: Model>(_ state: M.State, of model: M)
    /// - Returns: Forgets all assertions since this call.
    func checkpoint() -> () -> Void
    func end()
}

/// The state of a store, as far as it was asserted.
final class Account<State: Sendable>: AnyAccount {
    private let inspection: StoreInspection<State>
    private let state: Lock<State>

    init(_ inspection: StoreInspection<State>) {
        (self.inspection, state) = (inspection, Lock(inspection.state))
    }

    var asserted: State {
        get { state.withLock { $0 } }
        set { state.exchange(for: newValue) }
    }

    var name: String { inspection.name }
    var difference: String? {
        PromisedModelsTesting.difference(from: asserted, to: inspection.state)
    }
    var runningTasks: [(model: String, origin: Origin)] { inspection.runningTasks }
    func contains(_ model: some Model) -> Bool { inspection.contains(model) }

    func asserted<M: Model>(_ model: M) -> M.State? { inspection.part(of: asserted, at: model) }

    func accept<M: Model>(_ state: M.State, of model: M) {
        if let whole = inspection.replacing(state, in: asserted, at: model) { asserted = whole }
    }

    func checkpoint() -> () -> Void {
        let before = asserted
        return { self.asserted = before }
    }

    func end() { inspection.end() }
}

extension AnyStoreInspection {
    /// Logs the events and the preferences of the store.
    func log(in log: Lock<TestLog>) {
        typed.observeEvents { event, sender, number in
            log.withLock { $0.events.append(.init(event: event, sender: sender, number: number)) }
        }
        typed.observePreferences { key, model, lineage in
            log.withLock { $0.set(key, model, lineage) }
        }
    }

    var account: any AnyAccount { Account(typed) }
}
