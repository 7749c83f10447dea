// A label is stored in the promise's own allocation, so promises without a label do not pay for it.
extension Promise {
    /// Creates a promise from work that settles a resolver, with a label for diagnostics.
    ///
    /// - Parameters:
    ///   - label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    ///   - body: The work, as in ``init(_:file:line:)-((Resolver<Value>)->Void,_,_)``.
    public init(
        label: String, _ body: @escaping @Sendable (Resolver<Value>) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let origin = Origin(file, line, label: label)
        self.init(source: Body(run: body), kind: Flags.hasLabel, origin: origin, step: Self.bodyStep)
    }

    /// Creates a promise from `async` work, with a label for diagnostics.
    ///
    /// - Parameters:
    ///   - label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    ///   - work: Runs as a task, as in ``init(_:file:line:)-(()->Value,_,_)``.
    public init(
        label: String, _ work: @escaping @Sendable () async throws -> Value,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line, label: label), work)
    }

    /// Creates a pending promise and the resolver that settles it, with a label for diagnostics.
    ///
    /// - Parameter label: The name of the promise in reports, shown next to its source location: see ``Origin``.
    public static func pending(
        label: String, file: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise, resolver: Resolver<Value>) {
        let storage = PromiseStorage.make(
            Value.self, flags: Flags.hasLabel, origin: Origin(file, line, label: label),
            step: { storage, _, verb in if case .dispose = verb { storage.dispose(Value.self) } })
        return (Promise(storage: storage), Resolver(storage))
    }
}
