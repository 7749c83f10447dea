internal import Promise
public import PromisedSystem

/// The calls of the actions of some sources, in order: pass one to each ``SourceState`` whose calls belong together.
///
/// ```swift
/// import PromisedSources
///
/// final class Counter: StateSource {
///     struct Model: Sendable {
///         var count = 0
///         var add: Action<Int>
///     }
///     let state: SourceState<Model>
///     init(_ log: ActionLog) { state = SourceState(log: log) }
///     var initialModel: Model { Model(add: addAction) }
///     private var addAction: Action<Int> { action(Counter.add, at: \.add) }
///     private func add(_ number: Int) { update { $0.count += number } }
/// }
///
/// let log = ActionLog()
/// let token = log.onCall { print($0) }
/// let counter = Counter(log)
/// counter.model.add(2)
/// token.cancel()
/// ```
public final class ActionLog: Sendable {
    private let calls = OwnedValue<ActionCall?>()
    private let problems = OwnedValue<ActionCall?>()
    private let recordings = Lock<[SubscriptionToken]>([])

    /// Creates a log that nothing listens to: problems are reported to `PromiseDiagnostics`.
    public init() {
        calls.set(nil)
        problems.set(nil)
    }

    /// Calls `body` with each call that is made from now on, executed or not, before the action is executed.
    ///
    /// - Parameter body: Called on the thread that calls the action; calls made meanwhile follow afterwards.
    /// - Returns: A token to retain: releasing it ends this.
    public func onCall(_ body: @escaping @Sendable (ActionCall) -> Void) -> SubscriptionToken {
        subscribe(to: calls, body)
    }

    /// Calls `body` with each call that was not executed, unless the caller has kept that to itself. While something
    /// listens, these are not reported to `PromiseDiagnostics`.
    ///
    /// - Parameter body: Called on the thread that calls the action.
    /// - Returns: A token to retain: releasing it ends this.
    public func onProblem(_ body: @escaping @Sendable (ActionCall) -> Void) -> SubscriptionToken {
        subscribe(to: problems, body)
    }

    private func subscribe(
        to calls: OwnedValue<ActionCall?>, _ body: @escaping @Sendable (ActionCall) -> Void
    ) -> SubscriptionToken {
        calls.source { nil }.subscribe(replayCurrent: false) { if let call = $0 { body(call) } }
    }

    func add(_ call: ActionCall) { _ = publish(call, to: calls) }

    /// Publishes a call that was not executed; false if nothing listens.
    func publish(problem call: ActionCall) -> Bool { publish(call, to: problems) }

    private func publish(_ call: ActionCall, to calls: OwnedValue<ActionCall?>) -> Bool {
        guard calls.hasSubscribers else { return false }
        calls.set(call)
        // Or the log would retain the input until the next call.
        calls.set(nil)
        return true
    }
}

extension ActionLog: Recordable {
    /// Has each call that is made from now on recorded, executed or not.
    public func record(into sink: RecordingSink) {
        let token = onCall { sink.noteAction($0.source, $0.action, $0.input, $0.problem) }
        recordings.withLock { $0.append(token) }
    }
}
