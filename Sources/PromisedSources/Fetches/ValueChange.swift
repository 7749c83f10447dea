internal import Promise
internal import PromisedSystem
internal import Synchronization

/// The effect of a change on the server on the value of one key: at first a guess, then the answer.
///
/// ```swift
/// import PromisedSources
///
/// struct LikesKey: FetchKey {
///     let id: Int
///     func fetch(from server: Int) -> Promise<Int> { .value(server) }
/// }
///
/// let fetches = Fetches(from: 7, on: .immediate)
/// let token = fetches.source(LikesKey(id: 1)).subscribe { print($0.fetched?.value ?? 0) }
/// fetches.change([1, 2].map { id in ValueChange(LikesKey(id: id), optimistic: { $0 += 1 }, applying: { $0 = $1 }) }) {
///     Promise.value(9)
/// }
/// token.cancel()
/// ```
public struct ValueChange<Client: Sendable, Answer: Sendable>: Sendable {
    let key: EffectKey
    let path: [String]
    /// Whether it waits while the device is offline.
    let needsNetwork: Bool
    /// Returns what adds it to its key, which is in use from now on.
    let add: @Sendable (Fetches<Client>, ChangeRequest<Answer>, Origin) -> @Sendable () -> Void

    /// - Parameters:
    ///   - key: The key of the value.
    ///   - guess: Changes the value as the server will. Called on the scheduler of the fetches, often; it should do
    ///     nothing else.
    ///   - applying: Changes the value of the server by the answer, on the scheduler of the fetches when it comes. By
    ///     default the guess is applied to it. If there is no value, it is fetched after the change.
    public init<Key: FetchKey>(
        _ key: Key, optimistic guess: @escaping @Sendable (inout Key.Value) -> Void = { _ in },
        applying: (@Sendable (inout Key.Value, Answer) -> Void)? = nil
    ) where Key.Client == Client {
        self.init(key, guess) { answer in
            FetchUpdate(ofPresent: { if let applying { applying(&$0, answer) } else { guess(&$0) } })
        }
    }

    init<Key: FetchKey>(
        _ key: Key, _ guess: @escaping @Sendable (inout Key.Value) -> Void,
        _ update: @escaping @Sendable (Answer) -> FetchUpdate<Key.Value>
    ) where Key.Client == Client {
        (self.key, path) = (EffectKey(key), key.path)
        needsNetwork = key.options.network != .notNeeded
        add = { fetches, request, origin in
            let part = ChangePart(request, origin)
            let (entry, shared) = (fetches.entry(key), request.isShared ? ObjectIdentifier(request) : nil)
            if let shared { request.onClear { [weak entry] in entry?.withdraw(shared) } }
            let change = FetchChange(
                shared: shared, origin: origin, guess: guess,
                // Not `map`: an interim value is no answer.
                send: { _ in request.join().flatMap { .value(update($0)) } },
                end: { part.end($0) })
            return { entry.change(change) }
        }
    }
}

/// The request of a change, which is made when all of its keys are ready for it.
final class ChangeRequest<Answer: Sendable>: Sendable {
    private struct Open: Sendable {
        /// How many keys are not ready, and how many have not applied the answer.
        var unready: Int, unanswered: Int
        var answer: Answer?
        /// Removes it from each key.
        var withdrawals: [@Sendable () -> Void] = []
    }

    private let request: @Sendable () -> Promise<Answer>
    private let resolver: Resolver<Answer>
    /// The answer for the keys that were ready before the last one.
    private let others: (promise: Promise<Answer>, resolver: Resolver<Answer>)
    private let open: Lock<Open>
    /// Whether it is of several keys.
    let isShared: Bool

    /// - Parameters:
    ///   - count: The number of keys.
    ///   - resolver: Settled when the answer has been applied to all of them.
    init(of count: Int, _ request: @escaping @Sendable () -> Promise<Answer>, _ resolver: Resolver<Answer>) {
        (self.request, self.resolver) = (request, resolver)
        others = Promise<Answer>.pending(Origin(#fileID, #line))
        (open, isShared) = (Lock(Open(unready: count, unanswered: count)), count > 1)
    }

    /// Called when it was cleared for one key, or dropped: it ends for the others, too, sent or not.
    fileprivate func onClear(_ withdraw: @escaping @Sendable () -> Void) {
        open.withLock { $0.withdrawals.append(withdraw) }
    }

    /// Called once for each key, when it is its turn.
    func join() -> Promise<Answer> {
        let isLast = open.withLock { open in
            open.unready -= 1
            return open.unready == 0
        }
        guard isLast else { return others.promise }
        // Not `map`: an interim value is no answer.
        return request()
            .flatMap { [self] answer in
                open.withLock { $0.answer = answer }
                others.resolver.fulfill(answer)
                return .value(answer)
            }
            .mapError { [open, others] error in
                // Each key has this error.
                open.withLock { $0.withdrawals = [] }
                others.resolver.reject(error)
                return error
            }
    }

    /// Called once for each key. What one does not have, none has.
    fileprivate func end(_ error: (any Error)?) {
        if let error {
            // No other key is ever the last one.
            let withdrawals = open.withLock { open in
                open.unready = .max
                defer { open.withdrawals = [] }
                return open.withdrawals
            }
            resolver.reject(error)
            for withdraw in withdrawals { withdraw() }
            others.resolver.reject(error)
            return
        }
        let answer = open.withLock { open in
            open.unanswered -= 1
            return open.unanswered == 0 ? open.answer : nil
        }
        if let answer { resolver.fulfill(answer) }
    }
}

/// The wait of a change for one key.
private final class ChangePart<Answer: Sendable>: Sendable {
    private let request: ChangeRequest<Answer>
    private let origin: Origin
    private let isOver = Atomic(false)

    init(_ request: ChangeRequest<Answer>, _ origin: Origin) {
        (self.request, self.origin) = (request, origin)
    }

    deinit { end(PromiseError.abandoned(origin)) }

    func end(_ error: (any Error)?) {
        if !isOver.exchange(true, ordering: .relaxed) { request.end(error) }
    }
}
