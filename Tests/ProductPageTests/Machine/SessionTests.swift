import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductPage

@Suite struct SessionTests {
    private let silent = Console(data: { _ in }, talk: { _ in }, isWatched: false)

    @Test("at rest when every event that was sent has ended, and at once when none was")
    func rest() {
        let stage = PageStage(FakeShop(latency: .seconds(1)).effects)
        let session = Session(stage.page, console: silent)
        #expect(isFulfilled(session.rest().start()))
        session.send(.load)
        session.send(.add)
        let resting = session.rest().start()
        let alsoResting = session.rest().start()
        stage.scheduler.advance(by: .milliseconds(1999))
        #expect(!isFulfilled(resting))
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(isFulfilled(resting))
        #expect(isFulfilled(alsoResting))
        #expect(isFulfilled(session.rest().start()))
    }

    @Test("an event that fails ends as well")
    func failure() {
        let stage = PageStage(FakeShop(failing: [1]).effects)
        let session = Session(stage.page, console: silent)
        session.send(.load)
        let resting = session.rest().start()
        stage.scheduler.run()
        #expect(isFulfilled(resting))
    }

    private func isFulfilled(_ promise: Promise<Void>) -> Bool {
        if case .success? = promise.result { true } else { false }
    }
}
