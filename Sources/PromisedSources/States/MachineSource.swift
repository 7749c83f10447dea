internal import Promise
internal import PromisedSystem

/// A source whose model follows from the state of a machine.
///
/// The machine runs from the first read or subscription until the source is released, which cancels its work and its
/// subscriptions.
final class MachineSource<Machine: SourceMachine>: StateSource {
    typealias Model = Machine.Model

    private struct Run: Sendable {
        let system: System<MachineState<Machine.State>, Machine.Event>
        let tokens: [SubscriptionToken]
        let first: Machine.State
    }

    let state: SourceState<Model>
    private let machine: Machine
    /// Subscribes to the inputs. Their present values are sent before it returns. Apart from the machine, because what
    /// a machine refers to stays for as long as anything looks at its system.
    private let connect: Connect
    typealias Connect = @Sendable (_ send: @escaping @Sendable (Machine.Event) -> Void) -> [SubscriptionToken]
    private let run = OnceValue<Run>()
    private let publication = Lock(Publication())

    init(_ machine: Machine, log: ActionLog? = nil, connect: @escaping Connect = { _ in [] }) {
        (self.machine, self.connect, state) = (machine, connect, SourceState(log: log, isDerived: true))
    }

    /// The first model, which shows the values that the inputs have when they are subscribed to.
    var initialModel: Model { machine.model(of: run.value(begin).first, self) }

    /// For explorations.
    var system: System<MachineState<Machine.State>, Machine.Event> {
        _ = model
        return run.value(begin).system
    }

    func load() {
        if let event = machine.load { run.value(begin).system.sendEvent(event) }
    }

    private func begin() -> Run {
        let system = machine.system()
        let publishing = system.settled.subscribe(replayCurrent: false) { [weak self] state in
            self?.publish(state)
        }
        let first = Lock<[Machine.Event]?>([])
        let tokens = connect { [weak system, publication] event in
            if first.withLock({ $0?.append(event) }) != nil { publication.withLock { $0.known += 1 } }
            system?.sendEvent(event)
        }
        var state = MachineState(machine.initialState)
        for event in first.exchange(for: nil) ?? [] { machine.reduce(&state, event) }
        return Run(system: system, tokens: tokens + [publishing], first: state.content)
    }

    private func publish(_ state: MachineState<Machine.State>) {
        let isKnown = publication.withLock { publication in
            publication.count += 1
            return publication.count <= publication.known
        }
        if !isKnown && state.isShown { model = machine.model(of: state.content, self) }
    }
}

/// Counts what need not be published, because the first model shows it.
private struct Publication: Sendable {
    /// The events that were sent while the inputs were connected.
    var known = 0
    /// The states so far.
    var count = 0
}
