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
    /// If the request fails, the guess goes and the value is shown without it. Changes of one key are sent one after the
    /// other, after a fetch that is running; a fetch waits for them. The guesses of those that are not answered yet are
    /// always shown, in order, whatever is answered meanwhile. A change is sent even if its observers go, and waits while
    /// the device is offline.
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
        let (answer, resolver) = Promise<Key.Value>.pending(file: file, line: line)
        entry(key).change(
            FetchChange(
                origin: Origin(file, line), guess: guess, send: { _ in request() }, resolver: resolver))
        // Started, so that an error is reported that is not observed.
        answer.start()
        return answer
    }
}
