import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.noSharedState)) struct DependencyContextTests {
    private enum Named: DependencyKey {
        static var liveValue: String { "live" }
        static var previewValue: String { "preview" }
        static var testValue: String { "test" }
    }

    private enum Plain: DependencyKey {
        static var liveValue: String { "live" }
    }

    @Test(
        "OS-46: the default is that of what the store is for; the live one where a key declares no other",
        arguments: [(DependencyContext.live, "live"), (.preview, "preview"), (.test, "test")])
    func defaults(context: DependencyContext, expected: String) {
        let fixture = Fixture<App>(.rows(1)) { $0.context = context }
        #expect(fixture.model.rows[0].counter.dependency(Named.self) == expected)
        #expect(fixture.model.dependency(Plain.self) == "live")
        #expect(fixture.model.dependency(SettingsKey.self).dependency(Named.self) == expected)
    }

    @Test("OS-46: a test store has test values, which its closure and a model override")
    func testStore() {
        let test = TestStore<App>(initialState: .init())
        #expect(test.model.model.dependency(Named.self) == "test")
        test.model.model.override(Named.self, with: "model")
        #expect(test.model.model.dependency(Named.self) == "model")
        test.finish()
        let other = TestStore<App>(initialState: .init()) { $0[Named.self] = "store" }
        #expect(other.model.model.dependency(Named.self) == "store")
        other.finish()
        let live = TestStore<App>(initialState: .init()) { $0.context = .live }
        #expect(live.model.model.dependency(Named.self) == "live")
        live.finish()
    }
}
