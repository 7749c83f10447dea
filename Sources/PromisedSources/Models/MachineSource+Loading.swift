extension MachineSource {
    /// The action that loads while there is a value.
    func refresh<Value: Sendable>() -> Action<Void> where Machine.Model == Fetchable<Value> {
        action(
            MachineSource.load, at: { (model: Fetchable<Value>) -> Action<Void>? in model.fetched?.refresh },
            "refresh")
    }

    /// The action that loads while there is none.
    func retry<Value: Sendable>() -> Action<Void> where Machine.Model == Fetchable<Value> {
        action(
            MachineSource.load, at: { (model: Fetchable<Value>) -> Action<Void>? in model.failure?.retry },
            "retry")
    }
}
