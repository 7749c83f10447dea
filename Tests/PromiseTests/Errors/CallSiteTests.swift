import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// The place where a promise was created is that of the call, in every form of every operator and observer.
@Suite(.tags(.noSharedState)) struct CallSiteTests {
    private static let file: StaticString = "Here/There.swift"

    private static func origins(_ p: Promise<Int>, _ s: TestScheduler) -> [(String, Origin)] {
        func origin(_ promise: Promise<some Sendable>) -> Origin { promise.storage.origin }
        return [
            ("map", origin(p.map({ $0 }, file: file, line: 7))),
            ("tap", origin(p.tap({ _ in }, file: file, line: 7))),
            ("flatMap", origin(p.flatMap({ .value($0) }, file: file, line: 7))),
            ("then", origin(p.then({ .value($0) }, file: file, line: 7))),
            ("mapError", origin(p.mapError({ $0 }, file: file, line: 7))),
            ("mapErrorRecover", origin(p.mapErrorRecover({ throw $0 }, file: file, line: 7))),
            ("recover", origin(p.recover({ throw $0 }, file: file, line: 7))),
            ("ensure", origin(p.ensure({}, file: file, line: 7))),
            ("delay", origin(p.delay(.zero, file: file, line: 7))),
            ("delayStart", origin(p.delayStart(.zero, file: file, line: 7))),
            ("timeout", origin(p.timeout(.zero, file: file, line: 7))),
            ("receive", origin(p.receive(on: s, file: file, line: 7))),
            ("zip", origin(Promise.zip(p, p, file: file, line: 7))),
            ("parallel", origin(Promise.parallel([p], file: file, line: 7))),
            ("race", origin(Promise.race([p], file: file, line: 7))),
            ("race...", origin(Promise.race(p, p, file: file, line: 7))),
            ("any", origin(Promise.any([p], file: file, line: 7))),
            ("any...", origin(Promise.any(p, p, file: file, line: 7))),
            ("allSettled", origin(Promise.allSettled([p], file: file, line: 7))),
            ("allSettled...", origin(Promise.allSettled(p, p, file: file, line: 7))),
            ("race of none", origin(Promise<Int>.race([], file: file, line: 7))),
            ("any of none", origin(Promise<Int>.any([], file: file, line: 7))),
            ("retry", origin(Promise.retry(attempts: 2, file: file, line: 7) { p })),
            ("limited", origin(Promise.parallel([p], limit: 1, file: file, line: 7))),
            ("limited making", origin(Promise.parallel(0..<1, limit: 1, file: file, line: 7) { _ in p })),
            ("done", origin(p.done(file: file, line: 7) { _ in })),
            ("catch", origin(p.catch(file: file, line: 7) { _ in })),
            ("finally", origin(p.finally(file: file, line: 7) {})),
            ("onResult", origin(p.onResult(file: file, line: 7) { _ in })),
            ("onInterim", origin(p.onInterim(file: file, line: 7) { _ in })),
            ("done(on:)", origin(p.done(on: s, file: file, line: 7) { _ in })),
            ("catch(on:)", origin(p.catch(on: s, file: file, line: 7) { _ in })),
            ("finally(on:)", origin(p.finally(on: s, file: file, line: 7) {})),
            ("onResult(on:)", origin(p.onResult(on: s, file: file, line: 7) { _ in })),
            ("onInterim(on:)", origin(p.onInterim(on: s, file: file, line: 7) { _ in })),
            ("done(on: .main)", origin(p.done(on: .main, file: file, line: 7) { _ in })),
            ("catch(on: .main)", origin(p.catch(on: .main, file: file, line: 7) { _ in })),
            ("finally(on: .main)", origin(p.finally(on: .main, file: file, line: 7) {})),
            ("onResult(on: .main)", origin(p.onResult(on: .main, file: file, line: 7) { _ in })),
            ("onInterim(on: .main)", origin(p.onInterim(on: .main, file: file, line: 7) { _ in })),
            ("error", origin(Promise<Int>(error: Boom(), file: file, line: 7))),
            ("async", origin(Promise({ () async throws in 1 }, file: file, line: 7))),
            ("on:", origin(Promise(on: s, file: file, line: 7) { 1 })),
            ("fromCallback", origin(Promise<Int>.fromCallback({ $0(.success(1)) }, file: file, line: 7))),
            ("fromCallback?", origin(Promise<Int>.fromCallback({ $0(1, nil) }, file: file, line: 7))),
            ("first", origin(Promise.first(of: AsyncStream<Int> { _ in }, file: file, line: 7))),
            ("pending", origin(Promise<Int>.pending(file: file, line: 7).promise)),
            ("pending, label", origin(Promise<Int>.pending(label: "x", file: file, line: 7).promise)),
        ]
    }

    @Test("every form of every operator, observer and initialiser has the place of its call as its origin")
    func places() {
        let (promise, resolver) = Promise<Int>.pending()
        for (form, origin) in Self.origins(promise, TestScheduler()) {
            #expect(origin.file == "Here/There.swift" && origin.line == 7, "\(form)")
        }
        withExtendedLifetime(resolver) {}
    }
}
