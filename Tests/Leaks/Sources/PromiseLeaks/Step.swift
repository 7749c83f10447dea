import Promise

/// An operator or an observer, applied to a promise of any fate.
struct Step: Sendable {
    let name: String
    let apply: @Sendable (Promise<Token>, Token) -> End

    init<Value>(_ name: String, _ operation: @escaping @Sendable (Promise<Token>, Token) -> Promise<Value>) {
        self.name = name
        apply = { End(operation($0, $1)) }
    }

    init(observer name: String, _ operation: @escaping @Sendable (Promise<Token>, Token) -> End) {
        self.name = name
        apply = operation
    }
}

/// What a step returns, as far as a fate needs it.
struct End {
    let start: () -> Void
    let cancel: () -> Void

    init<Value>(_ promise: Promise<Value>) {
        start = { promise.start() }
        cancel = promise.cancel
    }

    init<Value, Failure>(_ task: Task<Value, Failure>) {
        start = {}
        cancel = task.cancel
    }
}

extension Step {
    /// Every operator and every observer. A new one is one line: `$0` is the promise, `$1` a token to capture.
    static let all: [Step] = [
        // Making
        Step("Promise(_:)") { promise, _ in Promise(promise) },
        Step("Promise { resolver in } that throws") { promise, token in Promise(refusing(promise, token)) },
        Step("onCancel") { promise, token in Promise(relaying(promise, token)) },

        Step("fromCallback with a result") { promise, token in calling(back: promise, token) },
        Step("fromCallback with a value and an error") { promise, token in
            callingApart(back: promise, token)
        },
        Step("first(of:) the updates") { promise, token in
            Promise<Token>.first(of: promise.interim(token).updates)
        },
        Step("first(of:) a stream") { promise, token in
            let stream = AsyncStream<Token> { $0.yield(token) }
            return Promise.zip(promise, Promise<Token>.first(of: stream))
        },

        // Transforming
        Step("map") { $0.map($1.pass) },
        Step("map that throws") { $0.map($1.refuse) },
        Step("flatMap") { $0.flatMap($1.follow) },
        Step("flatMap to a later one") { $0.flatMap($1.followLater) },
        Step("flatMap to a failure") { $0.flatMap($1.followFailure) },
        Step("flatMap to a forgotten one") { $0.flatMap($1.followForgotten) },
        Step("flatMap to the promise itself") { promise, _ in promise.flatMap { _ in promise } },
        Step("then") { $0.then($1.follow) },
        Step("tap") { $0.tap($1.hear) },
        Step("tap that throws") { $0.tap($1.hearAndRefuse) },

        // Errors
        Step("mapError") { $0.mapError($1.passError) },
        Step("mapErrorRecover") { $0.mapErrorRecover($1.recover) },
        Step("recover") { $0.recover($1.recoverLater) },
        Step("retry") { promise, token in
            Promise<Token>.retry(attempts: 3, where: token.agree) { token.again(promise) }
        },
        Step("retry after a wait") { promise, token in
            let backoff = Backoff.constant(.microseconds(10))
            return .retry(attempts: 2, backoff: backoff, on: Queue.one) { token.again(promise) }
        },
        Step("ensure") { $0.ensure($1.look) },
        Step("ensure that throws") { $0.ensure($1.lookAndRefuse) },

        // Interim values
        Step("interim") { $0.interim($1).map($1.pass) },
        Step("stateWhenLoading") { $0.stateWhenLoading($1).mapErrorRecover($1.recover) },

        // Time
        Step("delay") { promise, _ in promise.delay(.microseconds(10)) },
        Step("delay on a queue") { promise, _ in promise.delay(.zero, on: Queue.one) },
        Step("timeout") { promise, _ in promise.timeout(.milliseconds(1), on: Queue.one) },
        Step("timeout that is over at once") { promise, _ in promise.timeout(.zero, on: .immediate) },
        Step("receive on a queue") { promise, _ in promise.receive(on: Queue.one) },
        Step("receive on the main queue") { promise, _ in promise.receive(on: .main) },
        Step("receive interim values on a queue") { $0.interim($1).receive(on: Queue.one) },
        Step("receive at once") { promise, _ in promise.receive(on: .immediate) },

        // Combining
        Step("zip") { Promise.zip($0, Promise.value($1)) },
        Step("zip with a later one") { Promise.zip($0, Promise.later($1), $0) },
        Step("parallel") { Promise<Token>.parallel([$0, .value($1), $0]) },
        Step("parallel with a failure") { promise, _ in
            Promise<Token>.parallel([promise, Promise(error: Refusal())])
        },
        Step("race") { .race($0, .later($1), $0) },
        Step("race with one that waits") { .race([$0, .asyncWaiting($1)]) },
        Step("any") { .any($0, .later($1)) },
        Step("any of failures") { promise, _ in .any([Promise(error: Refusal()), promise]) },
        Step("allSettled") { Promise.allSettled($0, .later($1), $0) },
        Step("allSettled with a failure") { promise, _ in
            Promise.allSettled([Promise(error: Refusal()), promise])
        },

        // Observing
        Step("start") { promise, _ in promise.start() },
        Step("start on a queue") { promise, _ in promise.start(on: Queue.one) },
        Step("done") { $0.done($1.hear) },
        Step("done that throws") { $0.done($1.hearAndRefuse) },
        Step("catch") { $0.catch($1.hearError) },
        Step("finally") { $0.finally($1.look) },
        Step("onResult") { $0.onResult($1.hearResult) },
        Step("onInterim") { $0.interim($1).onInterim($1.hear) },
        Step("done on a queue") { $0.done(on: Queue.one, $1.hear) },
        Step("catch on a queue") { $0.catch(on: Queue.one, $1.hearError) },
        Step("finally on a queue") { $0.finally(on: Queue.one, $1.look) },
        Step("onResult on a queue") { $0.onResult(on: Queue.one, $1.hearResult) },
        Step("onInterim on a queue") { $0.interim($1).onInterim(on: Queue.one, $1.hear) },
        Step("done on the main queue") { $0.done(on: .main, $1.hear) },
        Step("catch on the main queue") { $0.catch(on: .main, $1.hearError) },
        Step("finally on the main queue") { $0.finally(on: .main, $1.look) },
        Step("onResult on the main queue") { $0.onResult(on: .main, $1.hearResult) },
        Step("onInterim on the main queue") { $0.interim($1).onInterim(on: .main, $1.hear) },
        Step("result") { promise, _ in
            _ = promise.result
            return promise
        },
        Step("loadingState") { promise, token in
            _ = promise.interim(token).loadingState
            return promise
        },
        Step(observer: "await") { promise, _ in End(Task { try await promise.value }) },
        Step(observer: "await that waits already") { promise, _ in
            End(Task.immediate { try await promise.value })
        },
        Step(observer: "updates") { promise, token in
            End(Task { for try await update in promise.interim(token).updates { update.look() } })
        },
        Step(observer: "updates that are waited for already") { promise, _ in
            End(Task.immediate { for try await update in promise.updates { update.look() } })
        },
        Step(observer: "updates, the first alone") { promise, token in
            End(
                Task.immediate {
                    var updates = promise.interim(token).updates.makeAsyncIterator()
                    _ = try await updates.next()
                })
        },
    ]
}

// MARK: Bodies that are too long for a line

private func refusing(_ promise: Promise<Token>, _ token: Token) -> Promise<Token> {
    Promise<Token> { _ in throw Refusal() }.recover { _ in promise }
}

private func relaying(_ promise: Promise<Token>, _ token: Token) -> Promise<Token> {
    Promise { resolver in
        resolver.onCancel {
            token.look()
            promise.cancel()
        }
        promise.done { resolver.fulfill($0) }.catch { resolver.reject($0) }
    }
}

private func calling(back promise: Promise<Token>, _ token: Token) -> Promise<Token> {
    promise.flatMap { other in
        Promise.fromCallback { (callback: @escaping @Sendable (Result<Token, any Error>) -> Void) in
            Queue.one.schedule { callback(.success(withExtendedLifetime(token) { other })) }
        }
    }.recover { error in
        Promise.fromCallback { (callback: @escaping @Sendable (Result<Token, any Error>) -> Void) in
            callback(.failure(error))
        }
    }
}

private func callingApart(back promise: Promise<Token>, _ token: Token) -> Promise<Token> {
    promise.flatMap { other in
        Promise.fromCallback { (callback: @escaping @Sendable (Token?, (any Error)?) -> Void) in
            Queue.one.schedule { callback(withExtendedLifetime(token) { other }, nil) }
        }
    }.recover { error in
        Promise.fromCallback { (callback: @escaping @Sendable (Token?, (any Error)?) -> Void) in
            callback(nil, error)
        }
    }
}
