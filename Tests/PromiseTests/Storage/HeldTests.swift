import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// What ends releases its closures, though the promises, resolvers and schedulers around it are held: every closure ×
/// every end × every holder.
@Suite(.tags(.noSharedState)) struct HeldTests {
    enum End: CaseIterable {
        case fulfilled, rejected, cancelled, sourceCancelled, abandoned, cancelledAfterwards
    }

    @Test(
        "R7: a closure is released when its promise has ended, though all around it is held",
        arguments: ClosurePlace.allCases, End.allCases)
    func closures(_ place: ClosurePlace, _ end: End) {
        weak var token: Token?
        let scheduler = TestScheduler()
        let (source, resolver) = Self.pending()
        let shared = source.map { $0 }
        let running: ClosurePlace.Running
        do {
            let held = Token()
            token = held
            running = place.attach(
                { withExtendedLifetime(held) {} }, to: place == .onCancel ? source : shared, resolver.value,
                on: scheduler)
        }
        scheduler.advance()
        #expect(token != nil)
        resolver.value?.report(0)
        scheduler.advance()
        switch end {
        case .fulfilled: resolver.value?.fulfill(1)
        case .rejected: resolver.value?.reject(Boom())
        case .cancelled: running.cancel()
        case .sourceCancelled: source.cancel()
        case .abandoned: break
        case .cancelledAfterwards:
            // The scheduler has not delivered yet.
            resolver.value?.fulfill(1)
            running.cancel()
            #expect(token == nil)
        }
        if end == .abandoned { resolver.value = nil }
        scheduler.advance()
        #expect(token == nil)
        #expect(running.hasSettled())
        withExtendedLifetime((source, shared, resolver, running, scheduler)) {}
    }

    /// The only copy of the resolver is in the box.
    private static func pending() -> (Promise<Int>, Box<Resolver<Int>>) {
        let (promise, resolver) = Promise<Int>.pending()
        return (promise, Box(resolver))
    }

    enum Made: CaseIterable {
        case resolver, async, asyncLabel, blocking, callback, optionalCallback, first, retry, limited

        func promise(_ token: Token, _ scheduler: TestScheduler, _ kept: Box<Resolver<Int>>) -> Promise<Int> {
            let body: @Sendable (Resolver<Int>) -> Void = { resolver in
                withExtendedLifetime(token) { kept.value = resolver }
            }
            switch self {
            case .resolver: return Promise(body)
            case .async: return Promise { () async throws in withExtendedLifetime(token) { 1 } }
            case .asyncLabel:
                return Promise(label: "held") { () async throws in withExtendedLifetime(token) { 1 } }
            case .blocking: return Promise(on: scheduler) { withExtendedLifetime(token) { 1 } }
            case .callback:
                return .fromCallback { callback in
                    withExtendedLifetime(token) {}
                    Promise<Int>(body).onResult { callback($0) }
                }
            case .optionalCallback:
                return .fromCallback { callback in
                    withExtendedLifetime(token) {}
                    Promise<Int>(body).onResult { callback($0.value, $0.error) }
                }
            case .first: return .first(of: AsyncStream { withExtendedLifetime(token) { 1 } })
            case .retry: return .retry(attempts: 2) { Promise(body) }
            case .limited: return Promise.parallel([token], limit: 1) { _ in Promise(body) }.map { $0[0] }
            }
        }
    }

    @Test(
        "R7: the work of a promise that is cancelled is released at once, whether it was started, has begun or neither",
        arguments: Made.allCases, 0..<3)
    func work(_ made: Made, _ phase: Int) {
        weak var token: Token?
        let scheduler = TestScheduler()
        let kept = Box<Resolver<Int>>()
        let promise: Promise<Int>
        do {
            let held = Token()
            token = held
            promise = made.promise(held, scheduler, kept)
        }
        // Begun, it is in the work of a scheduler that does not advance: tasks have been created and have not started.
        if phase == 1 { promise.start(on: scheduler) }
        if phase == 2 { scheduler.runAsCurrent { _ = promise.start() } }
        if phase < 2 { #expect(token != nil) }
        promise.cancel()
        #expect(token == nil)
        #expect(promise.result?.error is CancellationError)
        withExtendedLifetime((promise, kept, scheduler)) {}
    }
}
