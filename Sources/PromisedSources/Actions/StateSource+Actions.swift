internal import Promise

// Actions of methods with and without an input. One label for all forms of a place: key paths to an action or to an
// optional one, and closures.
extension StateSource {
    /// An action that calls a method while the present model has that action at a place.
    ///
    /// Declare it as a computed property, whose name is the action's:
    /// `private var add: Action<Int> { action(List.add, at: \.add) }`.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Where the model has the action. If it is elsewhere in the model, it is never available.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Input: Sendable, Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> (Input) -> Void,
        at place: any KeyPath<Model, Action<Placed>> & Sendable,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Input> { action(method, at: { $0[keyPath: place] }, name, file: file, line: line) }

    /// An action that calls a method while the present model has that action at a place that may be missing.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Where the model has the action, if it has it.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Input: Sendable, Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> (Input) -> Void,
        at place: any KeyPath<Model, Action<Placed>?> & Sendable,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Input> { action(method, at: { $0[keyPath: place] }, name, file: file, line: line) }

    /// An action that calls a method while the present model has that action where a closure finds it.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Returns the action that the model has there, or nil. Of rows that share a mapped action, return any.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Input: Sendable, Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> (Input) -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Input> { action(method, place, name, Origin(file, line)) }

    func action<Input: Sendable, Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> (Input) -> Void,
        _ place: @escaping @Sendable (Model) -> Action<Placed>?, _ name: String, _ origin: Origin
    ) -> Action<Input> {
        let owner = state.owner(self)
        return Action(.method(owner, name), MethodBody(owner, name, method, place, origin))
    }

    /// An action that calls a method without an input, while the present model has that action at a place.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Where the model has the action. If it is elsewhere in the model, it is never available.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> () -> Void,
        at place: any KeyPath<Model, Action<Placed>> & Sendable,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Void> { action(method, at: { $0[keyPath: place] }, name, file: file, line: line) }

    /// An action that calls a method without an input, while the present model has that action at a place that may be
    /// missing.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Where the model has the action, if it has it.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> () -> Void,
        at place: any KeyPath<Model, Action<Placed>?> & Sendable,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Void> { action(method, at: { $0[keyPath: place] }, name, file: file, line: line) }

    /// An action that calls a method without an input, while the present model has that action where a closure finds it.
    ///
    /// - Parameters:
    ///   - method: A method of this class, which may be private.
    ///   - place: Returns the action that the model has there, or nil.
    ///   - name: The name of the action, unique in this class; that of the property if not given.
    public func action<Placed: Sendable>(
        _ method: @escaping @Sendable (Self) -> () -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        _ name: String = #function, file: StaticString = #fileID, line: UInt = #line
    ) -> Action<Void> {
        action({ source in { (_: Void) in method(source)() } }, at: place, name, file: file, line: line)
    }
}
