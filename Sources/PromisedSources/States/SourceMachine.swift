internal import Promise
internal import PromisedSystem

/// The logic of an operator or of a fetch, without the source around it: a state, the events that change it, and the
/// work that follows from it. ``MachineSource`` runs it in a system, and an exploration can run it in any order of
/// events.
protocol SourceMachine<Model>: Sendable {
    associatedtype Model: Sendable
    associatedtype State: Sendable
    associatedtype Event: Sendable

    /// Where the events are processed.
    var scheduler: any SerialScheduler { get }
    /// The state before the first event, from which no work follows.
    var initialState: State { get }
    /// The work that follows from the state.
    var feedbacks: [Feedback<MachineState<State>, Event>] { get }
    /// The event that the actions of the model send; nil if it has none of its own.
    var load: Event? { get }

    func reduce(_ state: inout State, _ event: Event) -> Reaction

    /// Sent if an action of a reaction was not available; nil for nothing.
    func declined(_ call: Int) -> Event?

    func model(of state: State, _ source: MachineSource<Self>) -> Model
}

extension SourceMachine {
    var load: Event? { nil }
    func declined(_: Int) -> Event? { nil }
    var feedbacks: [Feedback<MachineState<State>, Event>] { [] }
}

/// The consequences of an event, apart from the next state.
struct Reaction: Sendable {
    /// The actions to call, of the models of the inputs.
    var calls: [Action<Void>?] = []
    /// Whether the model has changed, and is published.
    var isShown = true

    static var show: Reaction { Reaction() }
    static var stay: Reaction { Reaction(isShown: false) }
    static func call(_ actions: Action<Void>?..., isShown: Bool = false) -> Reaction {
        Reaction(calls: actions, isShown: isShown)
    }
}

/// The state of a machine, with what the last event requires.
struct MachineState<Content: Sendable>: Sendable {
    var content: Content
    fileprivate(set) var calls: [Action<Void>?] = []
    fileprivate(set) var isShown = true

    init(_ content: Content) { self.content = content }
}

// The actions belong to the sources of one run, so they make no difference, except for their number.
extension MachineState: Equatable where Content: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.content == right.content && left.calls.count == right.calls.count
            && left.isShown == right.isShown
    }
}

extension MachineState: Hashable where Content: Hashable {
    func hash(into hasher: inout Hasher) {
        hasher.combine(content)
        hasher.combine(calls.count)
    }
}

extension SourceMachine {
    func reduce(_ state: inout MachineState<State>, _ event: Event) {
        let reaction = reduce(&state.content, event)
        (state.calls, state.isShown) = (reaction.calls, reaction.isShown)
    }

    /// The system that runs this machine; it does nothing before it is connected.
    func system() -> System<MachineState<State>, Event> {
        let reducer = Reducer<MachineState<State>, Event> { reduce(&$0, $1) }
        return System(
            initialState: MachineState(initialState), scheduler: scheduler, reducer: reducer,
            feedbacks: feedbacks + [calling])
    }

    private var calling: Feedback<MachineState<State>, Event> {
        .onEvent(withState: { _, state in state.calls.isEmpty ? nil : state.calls }) { calls in
            Effect<Event> { effect in
                for (number, call) in calls.enumerated() {
                    // An action that is not available any more belongs to a model whose successor is about to arrive.
                    call? { _ in
                        if let event = declined(number) { effect.send(event) }
                        return false
                    }
                }
                effect.finish()
            }
        }
    }
}

extension Feedback {
    /// Sends an event after a delay, while the state has one. A delay that becomes another one starts from the
    /// beginning.
    static func timer(_ delay: @escaping @Sendable (State) -> Duration?, _ event: Event) -> Feedback {
        .latest(state: delay) { Promise<Void>.value(()).delay($0).map { event } }
    }

    /// Sends the values of a source while it is wanted, beginning with the present one.
    static func reading<Value>(
        _ source: MachineInput<Value>.WeakInput, while isWanted: @escaping @Sendable (State) -> Bool,
        _ event: @escaping @Sendable (Value) -> Event
    ) -> Feedback {
        .latest(state: { isWanted($0) ? true : nil }) { _ in
            Effect<Event> { effect in
                guard let token = source.input?.source.subscribe({ effect.send(event($0)) }) else { return }
                effect.onCancel { token.cancel() }
            }
        }
    }
}

/// A source that a machine reads. ``MachineSource`` retains it, and the machine does not: what a machine refers to
/// stays for as long as anything looks at its system, such as an exploration.
final class MachineInput<Value: Sendable>: Sendable {
    struct WeakInput: Sendable {
        weak let input: MachineInput?
    }

    let source: Source<Value>
    var reference: WeakInput { WeakInput(input: self) }

    init(_ source: Source<Value>) { self.source = source }
}
