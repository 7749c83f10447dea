public import Promise
public import PromisedSystem

extension Fetches {
    /// Changes a value on the server, and shows a guess of the result until the answer comes.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct LikesKey: FetchKey {
    ///     func fetch(from server: Int) -> Promise<Int> { .value(server) }
    /// }
    ///
    /// let fetches = Fetches(from: 7, on: .immediate)
    /// let token = fetches.source(LikesKey()).subscribe { print($0.fetched?.value ?? 0) }
    /// fetches.change(LikesKey(), optimistic: { $0 += 1 }, by: { Promise.value(8) })
    /// token.cancel()
    /// ```
    ///
    /// If the request fails, the guess goes and the value is shown without it. Changes of one key are sent one after
    /// the other, after a fetch that is running; a fetch waits for them. The guesses of those that are not answered yet
    /// are always shown, in order, whatever is answered meanwhile. A change is sent even if its observers go, and waits
    /// while the device is offline; releasing the ``Fetches`` drops unobserved changes.
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - guess: Changes the value as the server will. Called on the scheduler of the fetches, often; it should do
    ///     nothing else.
    ///   - request: Makes the request. Called once, on the scheduler of the fetches, when the changes before it are
    ///     answered. Its value is the new one.
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Key: FetchKey>(
        _ key: Key, optimistic guess: @escaping @Sendable (inout Key.Value) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Key.Value>
    ) -> Promise<Key.Value> where Key.Client == Client {
        change([ValueChange(key, guess) { FetchUpdate($0) }], file: file, line: line, by: request)
    }

    /// Changes a value on the server that answers with less than the value, such as one item of a list.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct ScoresKey: FetchKey {
    ///     func fetch(from server: Int) -> Promise<[String: Int]> { .value(["Ada": server]) }
    /// }
    ///
    /// let fetches = Fetches(from: 7, on: .immediate)
    /// let token = fetches.source(ScoresKey()).subscribe { print($0.fetched?.value["Bob"] ?? 0) }
    /// fetches.change(ScoresKey(), optimistic: { $0["Bob"] = 1 }, by: { Promise.value(2) }) { $0["Bob"] = $1 }
    /// token.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - key: The key of the value.
    ///   - guess: Changes the value as the server will. Called on the scheduler of the fetches, often.
    ///   - request: Makes the request. Called once, on the scheduler of the fetches, when the changes before it are
    ///     answered.
    ///   - applying: Changes the value of the server by the answer, on the scheduler of the fetches when it comes. If
    ///     there is no value, it is fetched after the change.
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Key: FetchKey, Answer: Sendable>(
        _ key: Key, optimistic guess: @escaping @Sendable (inout Key.Value) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Answer>,
        applying: @escaping @Sendable (inout Key.Value, Answer) -> Void
    ) -> Promise<Answer> where Key.Client == Client {
        change(
            [ValueChange(key, optimistic: guess, applying: applying)], file: file, line: line, by: request)
    }

    /// Changes the values of several keys by one request. It is sent when it is the next one of all of them, and if it
    /// fails, all guesses go.
    ///
    /// - Parameters:
    ///   - values: The change of each value. With a key that is repeated, nothing is sent, and the promise is rejected
    ///     with a ``RepeatedKeyError``.
    ///   - request: Makes the request. Called once, on the scheduler of the fetches, when the changes before it are
    ///     answered.
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Answer: Sendable>(
        _ values: [ValueChange<Client, Answer>], file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Answer>
    ) -> Promise<Answer> {
        if values.isEmpty { return request().start(on: scheduler) }
        let (answer, resolver) = Promise<Answer>.pending(Origin(file, line))
        var keys: Set<EffectKey> = []
        if let repeated = values.first(where: { !keys.insert($0.key).inserted }) {
            resolver.reject(RepeatedKeyError(key: repeated.key.description))
            return answer.start()
        }
        let sent = ChangeRequest(of: values.count, request, resolver)
        let adds = values.map { $0.add(self, sent, Origin(file, line)) }
        scheduler.perform { for add in adds { add() } }
        // Started, so that an error is reported that is not observed.
        answer.start()
        return answer
    }

    /// Changes values by one request, as ``change(_:file:line:by:)``, and shows its state: it is in
    /// flight, has failed and can be sent again, or was answered.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// struct LikesKey: FetchKey {
    ///     func fetch(from server: Int) -> Promise<Int> { .value(server) }
    /// }
    ///
    /// let fetches = Fetches(from: 7, on: .immediate)
    /// let sending = fetches.changing([ValueChange(LikesKey(), optimistic: { $0 += 1 })]) { Promise.value(8) }
    /// print(sending.value.failure?.retry == nil)
    /// ```
    ///
    /// Its failure is not reported to `PromiseDiagnostics`. It is sent whether the source is retained or not.
    ///
    /// - Parameters:
    ///   - values: The change of each value.
    ///   - request: Makes the request. Called on the scheduler of the fetches, when the changes before it are answered,
    ///     and for each retry.
    public func changing<Answer: Sendable>(
        _ values: [ValueChange<Client, Answer>], file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Answer>
    ) -> Source<Fetchable<Answer>> {
        let source = SendingSource { self.change(values, file: file, line: line, by: request) }
        source.send()
        let needsNetwork = values.contains { $0.needsNetwork }
        return source.eraseToSource().combined(with: isOnline).map { model, isOnline in
            model.isLoading ? .fetching(.init(isPaused: needsNetwork && !isOnline)) : model
        }
    }
}

/// The state of a change.
private final class SendingSource<Answer: Sendable>: StateSource {
    let state = SourceState<Fetchable<Answer>>(isDerived: true)
    let initialModel = Fetchable<Answer>.fetching(.init())
    private let change: @Sendable () -> Promise<Answer>

    init(_ change: @escaping @Sendable () -> Promise<Answer>) { self.change = change }

    private var sendAction: Action<Void> { action(SendingSource.again, at: { $0.failure?.retry }, "again") }

    private func again() {
        let attempts = model.failure?.failedAttempts ?? 0
        model = .fetching(.init())
        send(attempts)
    }

    func send(_ attempts: Int = 0) {
        change()
            .done { self.model = .fetched(.init($0)) }
            .catch {
                self.model = .failure(.init($0, failedAttempts: attempts + 1, retry: self.sendAction))
            }
    }
}
