import Promise

/// When a promise is settled, relative to attaching handlers to it.
enum Moment: CaseIterable {
    /// It is created settled.
    case fromTheStart
    /// It has run and settled before.
    case before
    /// Its resolver settled it before it was observed, so it never runs.
    case beforeStart
    /// Its work settles it synchronously when it is first observed.
    case byStarting
    /// Later, on the thread that attached the handlers.
    case laterHere
    /// Later, on another thread, which is joined.
    case laterElsewhere

    var isLater: Bool { self == .laterHere || self == .laterElsewhere }

    static let later: [Moment] = [.laterHere, .laterElsewhere]

    /// A promise with this outcome, and the closure that settles it if it does not settle itself.
    func promise<Value>(_ outcome: Result<Value, any Error>) -> Settling<Value> {
        switch self {
        case .fromTheStart:
            switch outcome {
            case .success(let value): return Settling(promise: .value(value))
            case .failure(let error): return Settling(promise: Promise(error: error))
            }
        case .before:
            let promise = Promise<Value> { $0.resolve(outcome) }
            return Settling(promise: promise.catch { _ in })
        case .beforeStart:
            let (promise, resolver) = Promise<Value>.pending()
            resolver.resolve(outcome)
            return Settling(promise: promise, resolver: resolver)
        case .byStarting: return Settling(promise: Promise { $0.resolve(outcome) })
        case .laterHere:
            let (promise, resolver) = Promise<Value>.pending()
            return Settling(promise: promise, resolver: resolver) { resolver.resolve(outcome) }
        case .laterElsewhere:
            let (promise, resolver) = Promise<Value>.pending()
            return Settling(promise: promise, resolver: resolver) {
                _ = onThreads { resolver.resolve(outcome) }
            }
        }
    }
}

/// A promise that settles at some moment.
struct Settling<Value: Sendable>: Sendable {
    let promise: Promise<Value>
    var resolver: Resolver<Value>?
    /// Settles the promise; a no-op if it settles itself.
    var settle: @Sendable () -> Void = {}
}

let fulfilled: Result<Int, any Error> = .success(7)
let rejected: Result<Int, any Error> = .failure(Boom("e"))

/// An error that is compared by identity.
final class Reason: Error, Sendable {}

/// Every operator that calls its closure with the value, once.
enum ValueHandler: CaseIterable {
    case done, map, flatMap, then

    /// Attaches `handler`, which may throw.
    func attach(
        to promise: Promise<Int>, _ handler: @escaping @Sendable (Int) throws -> Void
    ) -> Promise<String> {
        let text: @Sendable (Int) throws -> String = { value in
            try handler(value)
            return "handled"
        }
        return switch self {
        case .done: promise.done(handler).map { "handled" }
        case .map: promise.map(text)
        case .flatMap: promise.flatMap { .value(try text($0)) }
        case .then: promise.then { .value(try text($0)) }
        }
    }
}

/// Every operator that calls its closure with the error, once.
enum ErrorHandler: CaseIterable {
    case `catch`, mapError, mapErrorRecover, recover

    /// Attaches `handler`, which may throw; `catch`, whose handler cannot throw, ignores its errors.
    func attach(
        to promise: Promise<Int>, _ handler: @escaping @Sendable (any Error) throws -> Void
    ) -> Promise<Int> {
        switch self {
        case .catch: promise.catch { try? handler($0) }
        case .mapError:
            promise.mapError { error in
                try handler(error)
                return error
            }
        case .mapErrorRecover:
            promise.mapErrorRecover { error in
                try handler(error)
                return 0
            }
        case .recover:
            promise.recover { error in
                try handler(error)
                return .value(0)
            }
        }
    }
}
