import Promise
import Synchronization

/// What the promises carry and their closures capture: it knows how many of its kind there are.
final class Token: Sendable {
    private static let living = Atomic(0)
    /// How many there are.
    static var count: Int { living.load(ordering: .acquiring) }

    init() { Self.living.wrappingAdd(1, ordering: .relaxed) }
    deinit { Self.living.wrappingSubtract(1, ordering: .releasing) }
}

struct Refusal: Error {
    // An error that refers to something is freed wrongly more easily than an empty one.
    let token = Token()
}

// The closures of the steps: each is written `$1.pass` there, and so captures the token of its step.
extension Token {
    @Sendable func pass(_ other: Token) -> Token { self }
    @Sendable func refuse(_ other: Token) throws -> Token { throw Refusal() }

    @Sendable func follow(_ other: Token) -> Promise<Token> { .value(self) }
    @Sendable func followLater(_ other: Token) -> Promise<Token> { .later(self) }
    @Sendable func followFailure(_ other: Token) -> Promise<Token> { Promise(error: Refusal()) }
    @Sendable func followForgotten(_ other: Token) -> Promise<Token> { Promise.pending().promise }

    @Sendable func passError(_ error: any Error) -> any Error { Refusal() }
    @Sendable func recover(_ error: any Error) -> Token { self }
    @Sendable func recoverLater(_ error: any Error) -> Promise<Token> { .later(self) }

    @Sendable func again(_ promise: Promise<Token>) -> Promise<Token> { promise }
    @Sendable func agree(_ error: any Error) -> Bool { true }

    @Sendable func hearResult(_ result: Result<Token, any Error>) {}
    @Sendable func hear(_ other: Token) {}
    @Sendable func hearAndRefuse(_ other: Token) throws { throw Refusal() }
    @Sendable func hearError(_ error: any Error) {}
    @Sendable func look() {}
    @Sendable func lookAndRefuse() throws { throw Refusal() }
}

extension Promise<Token> {
    /// Fulfilled by a queue.
    static func later(_ token: Token) -> Promise {
        Promise { resolver in Queue.one.schedule { resolver.fulfill(token) } }
    }

    /// Fulfilled by a task.
    static func async(_ token: Token) -> Promise { Promise { () async -> Token in token } }

    /// A task that waits until it is cancelled.
    static func asyncWaiting(_ token: Token) -> Promise {
        let (promise, resolver) = Promise.pending()
        return Promise { () async throws -> Token in
            defer { resolver.fulfill(token) }
            return try await promise.value
        }
    }
}

/// Where what does not happen at once happens.
enum Queue {
    static let one = QueueScheduler.serial("leaks")
}
