import Promise
import PromisedTesting

/// A closure that the library calls for a chain: of every operator and observer that takes one.
enum ClosurePlace: CaseIterable {
    // Operators
    case map, mapInterim, tap, flatMap, then, mapError, mapErrorRecover, recover, ensure, ensureCancelled
    case retry, retryWhere, parallelLimit
    // Observers
    case done, `catch`, finally, onResult, onInterim, onCancel, doneOn, catchOn, finallyOn, onResultOn,
        onInterimOn

    static let observers = allCases.filter(\.isObserver)

    enum End: CaseIterable { case value, error, cancelled, interim, abandoned }

    /// How the promise must end, so that the closure is called.
    var end: End {
        switch self {
        case .mapInterim, .onInterim, .onInterimOn: .interim
        case .mapError, .mapErrorRecover, .recover, .catch, .catchOn: .error
        case .ensureCancelled, .onCancel: .cancelled
        default: .value
        }
    }

    /// Whether it starts the promise that it is attached to.
    var isObserver: Bool {
        switch self {
        case .done, .catch, .finally, .onResult, .onInterim, .onCancel: true
        case .doneOn, .catchOn, .finallyOn, .onResultOn, .onInterimOn: true
        default: false
        }
    }

    /// A running promise that can be held, cancelled and observed.
    struct Running: Sendable {
        let cancel: @Sendable () -> Void
        let hasSettled: @Sendable () -> Bool

        init(_ promise: Promise<some Sendable>) {
            cancel = { promise.cancel() }
            hasSettled = { promise.result != nil }
        }
    }

    /// Attaches `body` to `promise`; an operator is started on `scheduler`, and `on:` observers run there.
    @discardableResult
    func attach(
        _ body: @escaping @Sendable () -> Void, to promise: Promise<Int>, _ resolver: Resolver<Int>?,
        on scheduler: TestScheduler
    ) -> Running {
        func started(_ chain: Promise<some Sendable>) -> Running { Running(chain.start(on: scheduler)) }
        let next: @Sendable (Int) -> Promise<Int> = {
            body()
            return .value($0)
        }
        switch self {
        case .map, .mapInterim:
            return started(
                promise.map {
                    body()
                    return $0
                })
        case .tap: return started(promise.tap { _ in body() })
        case .flatMap: return started(promise.flatMap(next))
        case .then: return started(promise.then(next))
        case .mapError:
            return started(
                promise.mapError {
                    body()
                    return $0
                })
        case .mapErrorRecover:
            return started(
                promise.mapErrorRecover { _ in
                    body()
                    return 0
                })
        case .recover: return started(promise.recover { _ in next(0) })
        case .ensure, .ensureCancelled: return started(promise.ensure(body))
        case .retry: return started(promise.flatMap { _ in Promise.retry(attempts: 1) { next(0) } })
        case .retryWhere:
            let shouldRetry: @Sendable (any Error) -> Bool = { _ in
                body()
                return false
            }
            return started(
                Promise<Int>.retry(attempts: 2, where: shouldRetry) { promise.map { _ in throw Boom() } })
        case .parallelLimit: return started(promise.flatMap { Promise.parallel([$0], limit: 1, next) })
        case .done: return Running(promise.done { _ in body() })
        case .catch: return Running(promise.catch { _ in body() })
        case .finally: return Running(promise.finally(body))
        case .onResult: return Running(promise.onResult { _ in body() })
        case .onInterim: return Running(promise.onInterim { _ in body() })
        case .onCancel:
            resolver?.onCancel(body)
            return Running(promise.start())
        case .doneOn: return Running(promise.done(on: scheduler) { _ in body() })
        case .catchOn: return Running(promise.catch(on: scheduler) { _ in body() })
        case .finallyOn: return Running(promise.finally(on: scheduler, body))
        case .onResultOn: return Running(promise.onResult(on: scheduler) { _ in body() })
        case .onInterimOn: return Running(promise.onInterim(on: scheduler) { _ in body() })
        }
    }
}
