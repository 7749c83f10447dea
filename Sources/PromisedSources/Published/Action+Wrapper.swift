internal import Promise

// `@Action(Type.method, at: \.place)` declares an action in a class that is not checked for `Sendable`, such as a
// `SourceOf`. The compiler passes the enclosing source where the property is read, not where the wrapper is created.
extension Action {
    /// Declares an action in a ``SourceOf``: `@Action(List.add, at: \.add) private var addAction`.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Where the model has the action. If it is elsewhere in the model, it is never available.
    ///   - name: The name of the action, unique in the class; the property's place in the class if not given. One that is
    ///     encoded needs a name.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> (Input) -> Void,
        at place: any KeyPath<Model, Action<Placed>> & Sendable,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) { self.init(method, at: { $0[keyPath: place] }, name: name, file: file, line: line) }

    /// Declares an action whose place in the model may be missing.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Where the model has the action, if it has it.
    ///   - name: The name of the action, unique in the class.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> (Input) -> Void,
        at place: any KeyPath<Model, Action<Placed>?> & Sendable,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) { self.init(method, at: { $0[keyPath: place] }, name: name, file: file, line: line) }

    /// Declares an action that a closure finds in the model.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Returns the action that the model has there, or nil.
    ///   - name: The name of the action, unique in the class.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> (Input) -> Void,
        at place: @escaping @Sendable (Model) -> Action<Placed>?,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) {
        let body = UnboundBody<Input>(origin: Origin(file, line), name: name) { source, name in
            (source as? any StateSource<Model>)?.action(
                { source in { input in if let source = source as? Source { method(source)(input) } } },
                at: place, name, file: file, line: line)
        }
        self.init(.closure(body.mark), body)
    }
}

extension Action<Void> {
    /// Declares an action that calls a method without an input.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Where the model has the action. If it is elsewhere in the model, it is never available.
    ///   - name: The name of the action, unique in the class.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> () -> Void,
        at place: any KeyPath<Model, Action<Placed>> & Sendable,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) { self.init(method, at: { $0[keyPath: place] }, name: name, file: file, line: line) }

    /// Declares an action that calls a method without an input, and whose place in the model may be missing.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Where the model has the action, if it has it.
    ///   - name: The name of the action, unique in the class.
    public init<Model: Sendable, Source: ClassSource<Model>, Placed: Sendable>(
        _ method: @escaping @Sendable (Source) -> () -> Void,
        at place: any KeyPath<Model, Action<Placed>?> & Sendable,
        name: String? = nil, file: StaticString = #fileID, line: UInt = #line
    ) { self.init(method, at: { $0[keyPath: place] }, name: name, file: file, line: line) }

    /// Declares an action that calls a method without an input, and that a closure finds in the model.
    ///
    /// - Parameters:
    ///   - method: A method of the class, which may be private.
    ///   - place: Returns the action that the model has there, or nil.
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

/// An action that a property declares, before it is known of which source.
final class UnboundBody<Input: Sendable>: ActionBody {
    let mark = ActionMark()
    private let origin: Origin
    private let name: String?
    private let make: @Sendable (any AnyObject & Sendable, String) -> Action<Input>?
    private let bound = OnceValue<Action<Input>>()

    init(
        origin: Origin, name: String?,
        _ make: @escaping @Sendable (any AnyObject & Sendable, String) -> Action<Input>?
    ) {
        (self.origin, self.name, self.make) = (origin, name, make)
    }

    func bind(to source: any AnyObject & Sendable, orName place: () -> String) -> Action<Input> {
        bound.value { make(source, name ?? place()) ?? .placeholder }
    }

    func execute(_ input: Input) -> ActionProblem? { .sourceGone }
    func report(_ problem: ActionProblem, _ input: Input) {
        SourceProblem.report(problem, .closure(mark), at: origin)
    }
}
