internal import Promise

// `@Action(Type.method, at: \.place)` declares an action in a class that is not checked for `Sendable`, such as a
// `SourceOf`. The compiler passes the enclosing source where the property is read, not where the wrapper is created.
extension Action {
    /// Declares an action in a ``SourceOf``: `@Action(List.add, at: \.add) private var addAction`.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private. Called on the thread of the call of the action.
    ///   - place: Returns the action that the model has there, or nil: a key path such as `\.add`, or a closure. If the
    ///     action is elsewhere in the model, it is never available. Called on the thread of the call, before the
    ///     method.
    ///   - name: The name of the action, unique in the class; the property's place in the class if not given. One that
    ///     is encoded needs a name.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> (Input) -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        let origin = Origin(file, line)
        let bound = OnceValue<Action<Input>>()
        self.init(
            ActionBody(
                .closure(ActionMark()), origin,
                bind: { source, property in
                    bound.value {
                        (source as? any StateSource<Model>)?.action(
                            { ($0 as? Source).map(method)?($1) }, { place($0)?.identity },
                            name ?? property(), origin) ?? .placeholder
                    }
                }, execute: { _ in .sourceGone }))
    }
}

extension Action<Void> {
    /// Declares an action that calls a method without an input.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private. Called on the thread of the call of the action.
    ///   - place: Returns the action that the model has there, or nil: a key path, or a closure. Called on the thread
    ///     of the call, before the method.
    ///   - name: The name of the action, unique in the class.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> () -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(
            { (source: Source) in { (_: Void) in method(source)() } }, at: place, name: name, file: file,
            line: line)
    }
}
