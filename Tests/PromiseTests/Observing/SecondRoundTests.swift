import Promise
import PromisedTesting
import TestSupport
import Testing

/// The middle of three closures on one promise is cancelled, and a further one attached: every operator and observer.
@Suite(.tags(.noSharedState)) struct SecondRoundTests {
    @Test(
        "of three closures on one promise, cancelling the middle one affects no other, nor one that is attached later",
        arguments: ClosurePlace.allCases)
    func middle(_ place: ClosurePlace) {
        guard place.end != .cancelled else { return }
        let (scheduler, log) = (TestScheduler(), Log())
        let (promise, resolver) = Promise<Int>.pending()
        func attach(_ name: String) -> ClosurePlace.Running {
            place.attach({ log(name) }, to: promise, resolver, on: scheduler)
        }
        let running = ["first", "second", "third"].map(attach)
        running[1].cancel()
        scheduler.advance()
        _ = attach("fourth")
        scheduler.advance()
        if place.end == .interim { resolver.report(0) }
        if place.end == .error { resolver.reject(Boom()) }
        if place.end == .value { resolver.fulfill(1) }
        scheduler.advance()
        #expect(log.lines.filter { $0 != "second" } == ["first", "third", "fourth"])
        #expect(!log.lines.contains("second"))
        guard place.end != .interim else { return }
        running[0].cancel()
        _ = attach("late")
        scheduler.advance()
        #expect(log.lines == ["first", "third", "fourth", "late"])
    }
}
