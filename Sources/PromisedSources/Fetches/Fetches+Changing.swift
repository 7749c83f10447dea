public import Promise

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
    /// while the device is offline; releasing the ``Fetches`` drops what is not observed.
    ///
    /// - Parameters:
    ///   - key: What is changed.
    ///   - guess: Changes the value as the server will. It may be called often, and should do nothing else.
    ///   - request: Makes the request when its turn has come. Its value is the new one.
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Key: FetchKey>(
        _ key: Key, optimistic guess: @escaping @Sendable (inout Key.Value) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Key.Value>
    ) -> Promise<Key.Value> where Key.Client == Client {
        send(key, guess, file, line, request) { FetchUpdate($0) }
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
    ///   - key: What is changed.
    ///   - guess: Changes the value as the server will.
    ///   - request: Makes the request when its turn has come.
    ///   - applying: Changes the value of the server by the answer: that which is there when the answer comes. If there
    ///     is none, it is fetched after the change.
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Key: FetchKey, Answer: Sendable>(
        _ key: Key, optimistic guess: @escaping @Sendable (inout Key.Value) -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line,
        by request: @escaping @Sendable () -> Promise<Answer>,
        applying: @escaping @Sendable (inout Key.Value, Answer) -> Void
    ) -> Promise<Answer> where Key.Client == Client {
        send(key, guess, file, line, request) { answer in FetchUpdate(ofPresent: { applying(&$0, answer) }) }
    }

    private func send<Key: FetchKey, Answer: Sendable>(
        _ key: Key, _ guess: @escaping @Sendable (inout Key.Value) -> Void, _ file: StaticString,
        _ line: UInt, _ request: @escaping @Sendable () -> Promise<Answer>,
        _ update: @escaping @Sendable (Answer) -> FetchUpdate<Key.Value>
    ) -> Promise<Answer> where Key.Client == Client {
        let (answer, resolver) = Promise<Answer>.pending(file: file, line: line)
        let received = Lock<Answer?>(nil)
        entry(key).change(
            FetchChange(
                origin: Origin(file, line), guess: guess,
                // Not `map`: an interim value is no answer.
                send: { _ in
                    request().flatMap { answer in
                        received.exchange(for: answer)
                        return .value(update(answer))
                    }
                },
                end: { error in
                    if let answer = received.exchange(for: nil), error == nil {
                        resolver.fulfill(answer)
                    } else {
                        resolver.reject(error ?? CancellationError())
                    }
                }))
        // Started, so that an error is reported that is not observed.
        answer.start()
        return answer
    }
}
