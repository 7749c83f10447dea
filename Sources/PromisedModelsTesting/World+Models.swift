public import PromisedExploring
public import PromisedModels
internal import PromisedSystem

extension World {
    /// A system whose events are calls of the methods of models, for an `Explorer`: it explores every order of the
    /// calls, of the answers that tasks of models wait for, and of time.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedModels
    /// import PromisedModelsTesting
    ///
    /// struct Lamp: Model {
    ///     struct State: Hashable { var isOn = false }
    ///     let context: ModelContext<Lamp>
    ///     func pressed() { context.state.isOn.toggle() }
    /// }
    ///
    /// enum Call: Hashable { case pressed }
    ///
    /// let explorer = Explorer<Lamp.State, Call?>(events: [.pressed]) { world in
    ///     let store = Store<Lamp>(initialState: .init(), scheduler: world.scheduler)
    ///     return world.driving(store) { call, lamp in
    ///         switch call {
    ///         case .pressed: lamp.pressed()
    ///         }
    ///     }
    /// }
    /// print(explorer.check(depth: 5).configurations)
    /// ```
    ///
    /// A model that is a dependency of the store, with a store of its own, is explored with it.
    ///
    /// Models reach the outside through dependencies that make `call(_:_:)` and use `variable(_:)`, such
    /// as for identities. Configurations are recognised again if the state is `Hashable`. A task is then known by its
    /// model, the states and the answers that it has found; so it must get everything else that it depends on from the
    /// store, and a sequence that is handled by `forEach` remembers nothing while it waits.
    ///
    /// - Parameters:
    ///   - store: On the world's scheduler.
    ///   - perform: Calls a method of the model, or none if there is nothing to be called in the present state.
    /// - Returns: A system with the store's state. Its event is nil when the store was written.
    public func driving<Root: StoreRoot, Call: Sendable>(
        _ store: Store<Root>, _ perform: @escaping @Sendable (_ call: Call, _ model: Root) -> Void
    ) -> System<State, Call?> where Root.RootState == State {
        let system = System<State, Call?>(
            initialState: store.state, scheduler: scheduler,
            reducer: Reducer { state, call in if call == nil { state = store.state } },
            feedbacks: [
                .onEvent({ $0 }) { [self] call in
                    Effect<Call?>.fireAndForget {
                        self.perform(call, in: store.state) { perform(call, store.model) }
                    }
                }
            ])
        store.onWrite { [weak system] _ in system?.sendEvent(Call?.none) }
        store.inspection.nameTasksByPlace()
        include(
            OutsideMemory(
                state: { [weak store] in store?.inspection.states },
                values: { [weak store] in store?.inspection.remembered },
                sequences: { [weak store] in store?.inspection.sequences ?? ([:], []) }))
        return system
    }
}
