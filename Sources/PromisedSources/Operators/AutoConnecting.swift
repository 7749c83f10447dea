internal import Promise
public import PromisedSystem

extension Source {
    /// The value of a source that is connected on demand: the first read or subscription connects it. It is nil until
    /// there is a value; if it is disconnected elsewhere after that, the last value is kept.
    ///
    /// That of a ``ConnectableSource`` is never nil, see ``ConnectableSource/autoConnecting()``.
    public func autoConnecting<Part: Sendable>() -> Source<Part?> where Value == Connectable<Part> {
        ConnectMachine(source: self, connectable: { $0.map(Optional.some) }, placeholder: { _ in nil })
            .connected
    }

    /// The value of a source that is connected on demand, or its placeholder until there is one: the first read or
    /// subscription connects it. If it is disconnected elsewhere after that, the last value is kept.
    public func autoConnecting<Part: Sendable>() -> Source<Part>
    where Value == ConnectableWithPlaceholder<Part, Part> {
        ConnectMachine(source: self, connectable: { $0.model }, placeholder: { $0.placeholder }).connected
    }
}

extension ConnectableSource {
    /// The value, which is connected by the first read or subscription. If it is disconnected elsewhere after that, the
    /// last value is kept.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let price = ConnectableSource { Source.constant(4) }.autoConnecting()
    /// print(price.value)
    /// ```
    public func autoConnecting() -> Source<Value> {
        // Another thread may disconnect it before it is subscribed to.
        ConnectMachine(
            source: eraseToSource(), connectable: { $0 }, placeholder: { [make] _ in make().value }
        ).connected
    }
}

struct ConnectMachine<Input: Sendable, Value: Sendable>: SourceMachine {
    struct ConnectState: Sendable {
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

    var initialState: ConnectState { ConnectState() }

    var connected: Source<Value> {
        MachineSource(self) { send in
            connectable(source.value).disconnected?.connect { _ in false }
            return [source.subscribe { send($0) }]
        }.eraseToSource()
    }

    func reduce(_ state: inout ConnectState, _ input: Input) -> Reaction {
        state.input = input
        guard let connected = connectable(input).connected else { return state.value == nil ? .show : .stay }
        state.value = connected.value
        return .show
    }

    func model(of state: ConnectState, _: MachineSource<Self>) -> Value {
        state.value ?? placeholder(state.input ?? source.value)
    }
}
