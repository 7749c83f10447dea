internal import Promise
public import PromisedSystem

/// A small state machine in one expression: a state, and the model that shows it, with the possible actions.
///
/// ```swift
/// import PromisedSources
///
/// struct Counter: Sendable { let count: Int, add: Action<Int>, reset: Action<Void>? }
///
/// let counter = BuiltSource(0) { count, offer in
///     Counter(
///         count: count,
///         add: offer("add") { $0 += $1 },
///         reset: count == 0 ? nil : offer("reset") { count, _ in count = 0 })
/// }.eraseToSource()
///
/// counter.value.add(2)
/// counter.value.reset?()
/// print(counter.value.count)
/// ```
///
/// An action is available while the present model was built with an offer of its name. One of a built source, this one
/// or another, that the closure of an action calls is executed after that, once. Other logic than that of the actions,
/// such as a fetch, needs a ``StateSource``.
public final class BuiltSource<State: Sendable, Model: Sendable>: Sendable {
    private let machine: Machine
    private let source = OnceValue<Source<Model>>()

    /// - Parameters:
    ///   - initial: The first state.
    ///   - log: Records the calls of the actions.
    ///   - build: Builds the model of a state. Called on the thread of an action, and on that of the first read. It
    ///     should do nothing else: it may be called several times for one state.
    public init(
        _ initial: State, log: ActionLog? = nil,
        _ build: @escaping @Sendable (_ state: State, _ offer: ActionOffers<State>) -> Model
    ) { machine = Machine(initial, log, build) }

    /// The source of the models. It is the same one each time, and keeps the state machine alive.
    public func eraseToSource() -> Source<Model> {
        source.value { machine.eraseToSource().map { $0.model } }
    }

    private final class Machine: StateSource, OfferingSource {
        struct Built: Sendable {
            let state: State
            let model: Model
            let offered: Set<String>
        }

        let state: SourceState<Built>
        private let initial: State
        private let build: @Sendable (State, ActionOffers<State>) -> Model

        init(
            _ initial: State, _ log: ActionLog?,
            _ build: @escaping @Sendable (State, ActionOffers<State>) -> Model
        ) {
            (state, self.initial, self.build) = (SourceState(log: log), initial, build)
        }

        var initialModel: Built { built(initial) }

        private func built(_ state: State) -> Built {
            let offers = ActionOffers(self)
            let model = build(state, offers)
            return Built(state: state, model: model, offered: offers.names)
        }

        func action<Input: Sendable>(
            _ name: String, _ origin: Origin, _ change: @escaping @Sendable (inout State, Input) -> Void
        ) -> Action<Input> {
            let owner = self.state.owner(self), identity = ActionIdentity.method(owner, name)
            return action(
                { machine, input in
                    machine.update(if: name) {
                        change(&$0, input)
                    } orElse: {
                        owner.report(name, input, .expired, at: origin)
                    }
                },
                { $0.offered.contains(name) ? identity : nil }, name, origin)
        }

        /// Looks at the offers once more, as another action may have changed the state since the call. An action of a
        /// built source that `change` itself calls follows it: the state that it changes exists only then, and
        /// `change` may be called again.
        private func update(
            if name: String, _ change: @escaping @Sendable (inout State) -> Void,
            orElse expire: @escaping @Sendable () -> Void
        ) {
            let follows = BuiltTurn.current?.follow { [self] in update(if: name, change, orElse: expire) }
            if follows == true { return }
            let turn = BuiltTurn()
            // Thrown, as a model that stays is not published.
            let changed: Void? = try? update { present in
                // Calls made before the state was changed elsewhere are made again.
                turn.calls.exchange(for: [])
                guard present.offered.contains(name) else { throw ActionProblem.expired }
                var state = present.state
                BuiltTurn.$current.withValue(turn) {
                    change(&state)
                    present = built(state)
                }
            }
            if changed == nil { expire() }
            for call in turn.calls.exchange(for: nil) ?? [] { call() }
        }
    }
}

/// Makes the actions of a ``BuiltSource`` while its model is built.
public final class ActionOffers<State: Sendable>: Sendable {
    private let source: any OfferingSource<State>
    private let offered = Lock<Set<String>>([])

    init(_ source: some OfferingSource<State>) { self.source = source }

    var names: Set<String> { offered.withLock { $0 } }

    /// An action that changes the state, available while the model that is being built is the present one.
    ///
    /// - Parameters:
    ///   - name: The name of the action, unique in the source.
    ///   - change: Changes the state, given the input of the action. Called on the thread of the call, and again if
    ///     another thread has changed it meanwhile, so it should do nothing else, but may call actions of built
    ///     sources.
    public func callAsFunction<Input: Sendable>(
        _ name: String, file: StaticString = #fileID, line: UInt = #line,
        _ change: @escaping @Sendable (inout State, Input) -> Void
    ) -> Action<Input> {
        offered.withLock { _ = $0.insert(name) }
        return source.action(name, Origin(file, line), change)
    }
}

/// A change of a ``BuiltSource`` that is being computed.
private final class BuiltTurn: Sendable {
    @TaskLocal static var current: BuiltTurn?

    /// The calls that follow it; nil when it is over.
    let calls = Lock<[@Sendable () -> Void]?>([])

    /// False if it is over, as in a task that was started in it.
    func follow(_ call: @escaping @Sendable () -> Void) -> Bool { calls.withLock { $0?.append(call) } != nil }
}

protocol OfferingSource<State>: AnyObject, Sendable {
    associatedtype State: Sendable

    func action<Input: Sendable>(
        _ name: String, _ origin: Origin, _ change: @escaping @Sendable (inout State, Input) -> Void
    ) -> Action<Input>
}
