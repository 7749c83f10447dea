import PromisedSystem
import PromisedTesting
import Testing

@testable import TemplateFeatures

/// The search in virtual time.
struct SearchTests {
    @Test("The words are requested when the user pauses, and a failure can be tried again")
    func search() {
        let scheduler = TestScheduler()
        let find = Stub(Client.live.find, on: scheduler)
        let test = TestSystem(
            initialState: Search.State(), feature: Search.feature(.live), scheduler: scheduler)
        let pause = Duration.milliseconds(300)
        test.send(.typed("te")) { ($0.text, $0.request) = ("te", Search.Request(text: "te", pause: pause)) }
        test.advance(by: .milliseconds(200))
        test.send(.typed("tea")) {
            ($0.text, $0.request) = ("tea", Search.Request(text: "tea", pause: pause))
        }
        test.advance(by: pause)
        find.reject(Offline())
        test.advance()
        test.receive(.failed("Offline()")) { ($0.failure, $0.request) = ("Offline()", nil) }
        test.send(.retried) { ($0.failure, $0.request) = (nil, Search.Request(text: "tea")) }
        test.advance()
        find.fulfill(["tea", "teapot"])
        test.advance()
        test.receive(.found(["tea", "teapot"])) { ($0.hits, $0.request) = (["tea", "teapot"], nil) }
        test.finish()
        #expect(find.inputs == ["tea", "tea"])
    }
}

struct Offline: Error {}
