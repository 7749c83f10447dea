// A label is kept beside the place in the promise's own memory, which those without one do not pay for.
extension Promise {
    /// A promise made of work that calls back, with a name for reports.
    ///
    /// - Parameters:
    ///   - label: What reports call the promise, beside the place where it was made: see ``Origin``.
    ///   - body: The work, as in ``init(_:file:line:)-((Resolver<Value>)->Void,_,_)``.
    public init(
        label: String, _ body: @escaping @Sendable (Resolver<Value>) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let origin = Origin(file, line, label: label)
        self.init(source: Body(run: body), kind: Flags.hasLabel, origin: origin, step: Self.bodyStep)
    }

    /// A promise made of `async` work, with a name for reports.
    ///
    /// - Parameters:
    ///   - label: What reports call the promise, beside the place where it was made: see ``Origin``.
    ///   - work: Runs as a task, as in ``init(_:file:line:)-(()->Value,_,_)``.
    public init(
        label: String, _ work: @escaping @Sendable () async throws -> Value,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(origin: Origin(file, line, label: label), work)
    }

    /// A promise together with the resolver that settles it, with a name for reports.
    ///
    /// - Parameter label: What reports call the promise, beside the place where it was made: see ``Origin``.
    public static func pending(
        label: String, file: StaticString = #fileID, line: UInt = #line
    ) -> (promise: Promise, resolver: Resolver<Value>) {
        let storage = PromiseStorage.make(
            Value.self, flags: Flags.hasLabel, origin: Origin(file, line, label: label),
            step: { storage, _, verb in if case .dispose = verb { storage.dispose(Value.self) } })
        return (Promise(storage: storage), Resolver(storage))
    }
}
