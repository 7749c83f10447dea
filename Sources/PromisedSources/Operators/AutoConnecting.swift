internal import Promise
public import PromisedSystem

extension Source {
    /// The value of a source that is connected on demand: the first read or subscription connects it.
    ///
    /// If it is disconnected elsewhere after that, the last value is kept.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let price = ConnectableSource { Source.constant(4) }.eraseToSource().autoConnecting()
    /// print(price.value)
    /// ```
    ///
    /// The action to connect must have connected when its call returns, as that of a ``ConnectableSource`` has; for
    /// another one, use the form with a placeholder.
    public func autoConnecting<Part: Sendable>() -> Source<Part> where Value == Connectable<Part> {
        let machine = ConnectMachine(source: self, connectable: { $0 }) { _ -> Part in
            fatalError(
                "The first value of a source that connects by itself is missing: `connect` has not connected."
            )
        }
        return machine.connected
    }

    /// The value of a source that is connected on demand, or its placeholder until there is one: the first read or
    /// subscription connects it. If it is disconnected elsewhere after that, the last value is kept.
    public func autoConnecting<Part: Sendable>() -> Source<Part>
    where Value == ConnectableWithPlaceholder<Part, Part> {
        ConnectMachine(source: self, connectable: { $0.model }, placeholder: { $0.placeholder }).connected
    }
}

struct ConnectMachine<Input: Sendable, Value: Sendable>: SourceMachine {
    struct State: Sendable {
        var input: Input?
        var value: Value?
    }

    let source: Source<Input>
    let scheduler: any SerialScheduler = .immediate
    let connectable: @Sendable (Input) -> Connectable<Value>
    let placeholder: @Sendable (Input) -> Value

    init(
        source: Source<Input>, connectable: @escaping @Sendable (Input) -> Connectable<Value>,
        placeholder: @escaping @Sendable (Input) -> Value
    ) { (self.source, self.connectable, self.placeholder) = (source, connectable, placeholder) }

    var initialState: State { State() }

    var connected: Source<Value> {
        MachineSource(self) { send in
            connectable(source.value).disconnected?.connect { _ in false }
            return [source.subscribe { send($0) }]
        }.eraseToSource()
    }

    func reduce(_ state: inout State, _ input: Input) -> Reaction {
        state.input = input
        guard let connected = connectable(input).connected else { return state.value == nil ? .show : .stay }
        state.value = connected.value
        return .show
    }

    func model(of state: State, _: MachineSource<Self>) -> Value {
        state.value ?? placeholder(state.input ?? source.value)
    }
}
