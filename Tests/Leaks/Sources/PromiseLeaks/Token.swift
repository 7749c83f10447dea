import Promise
import Synchronization

/// The value of the promises and the capture of their closures, which counts its living instances.
final class Token: Sendable {
    private static let living = Atomic(0)
    /// The number of living tokens.
    static var count: Int { living.load(ordering: .acquiring) }

    init() { Self.living.wrappingAdd(1, ordering: .relaxed) }
    deinit { Self.living.wrappingSubtract(1, ordering: .releasing) }
}

struct Refusal: Error {
    // Contains a reference: an error with one is more easily released wrongly than an empty one.
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

    /// A task that sleeps until it is cancelled.
    static func asyncWaiting(_ token: Token) -> Promise {
        let (promise, resolver) = Promise.pending()
        return Promise { () async throws -> Token in
            defer { resolver.fulfill(token) }
            return try await promise.value
        }
    }
}

/// The queue of everything asynchronous.
enum Queue {
    static let one = QueueScheduler.serial("leaks")
}
