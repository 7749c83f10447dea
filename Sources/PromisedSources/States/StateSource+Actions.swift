public import Promise

// Actions of methods with and without an input. A place is a closure; a key path literal is one as well.
extension StateSource {
    /// An action that calls a method while the present model has that action at a place.
    ///
    /// Declare it as a computed property, whose name is the action's:
    /// `private var add: Action<Int> { action(List.add, at: \.add) }`.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private. Called on the thread of the call of the action.
    ///   - place: Returns the action that the model has there, or nil: a key path such as `\.add`, or a closure. If the
    ///     action is elsewhere in the model, it is never available. Of rows that share a mapped action, return any.
    ///     Called on the thread of the call, before the method.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    @inlinable @inline(__always)
    public func action<Input: Sendable, Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> (Input) -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Input> {
        action({ method($0)($1) }, { place($0)?.identity }, name, Origin(file, line))
    }

    /// An action that calls a method without an input, while the present model has that action at a place.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private. Called on the thread of the call of the action.
    ///   - place: Returns the action that the model has there, or nil: a key path, or a closure. Called on the thread
    ///     of the call, before the method.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    @inlinable @inline(__always)
    public func action<Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> () -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Void> {
        action({ source, _ in method(source)() }, { place($0)?.identity }, name, Origin(file, line))
    }

    // Inlined where an action is declared, so that the method and the place are constants there.
    @inlinable @inline(__always)
    func action<Input: Sendable>(
        _ run: @escaping @Sendable (Self, Input) -> Void,
        _ placed: @escaping @Sendable (Model) -> ActionIdentity?, _ name: String, _ origin: Origin
    ) -> Action<Input> {
        let owner = state.owner(self)
        let identity = ActionIdentity.method(owner, name)
        let execute: @Sendable (Input) -> ActionProblem? = { [weak self] input in
            let problem: ActionProblem? =
                if let self { placed(model)?.isMethod(name, of: owner) ?? false ? nil : .expired } else {
                    .sourceGone
                }
            // Before it is executed, so that calls are recorded in the order in which they are made.
            if owner.log != nil { owner.record(name, input, problem) }
            if case nil = problem, let self { run(self, input) }
            return problem
        }
        return Action(
            ActionBody(
                identity, link: { ($0 as? Model).flatMap(placed)?.link },
                report: { owner.report(name, $1, $0, at: origin) }, execute: execute))
    }
}
