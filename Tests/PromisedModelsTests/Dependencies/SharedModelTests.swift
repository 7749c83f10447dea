import Foundation
import Promise
import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import Testing

/// A model that is a dependency, with a store of its own, is a part of the world of the store that it is created for.
struct SharedModelTests {
    struct Settings: Model {
        struct State: Hashable {
            var volume = 0, opened = 0
            var id = ""
        }
        enum Event: Equatable { case changed }
        let context: ModelContext<Settings>
        var state: ModelState<Self> { context.state }

        func onActivate() {
            note("+settings")
            state.id = String(dependency(\.uuid)().uuidString.suffix(1))
        }
        func onDeactivate() { note("-settings") }

        func louder() {
            state.volume += 1
            send(.changed)
        }

        func fade() {
            task {
                try await dependency(\.clock).sleep(for: .seconds(1))
                state.volume = 0
            }
        }
    }

    enum Shared: DependencyKey {
        static var liveValue: Settings { Settings(initialState: .init()) }
    }

    /// Where the model is created.
    enum Origin: CaseIterable { case byDefault, override, ownValues }

    private func store(_ origin: Origin, _ scheduler: TestScheduler, _ notes: Notes) -> Store<App> {
        Store<App>(initialState: .rows(1), scheduler: scheduler) { values in
            switch origin {
            case .byDefault: break
            case .override: values[Shared.self] = Settings(initialState: .init())
            case .ownValues: values[Shared.self] = Settings(initialState: .init()) { $0.sound = "own" }
            }
            // Behind it: it inherits what the store has, whatever the order.
            (values.uuid, values.notes, values.sound) = (.incrementing, notes, "off")
        }
    }

    @Test("OS-49: a shared model inherits the dependencies of the store", arguments: Origin.allCases)
    func inherits(origin: Origin) {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let store = store(origin, scheduler, notes)
        let settings = store.model.rows[0].dependency(Shared.self)
        scheduler.advance()
        #expect(settings.dependency(\.notes) === notes)
        #expect(settings.dependency(\.sound) == (origin == .ownValues ? "own" : "off"))
        #expect(settings.dependency(\.token) === store.model.dependency(\.token))
        #expect(settings.id == "0")
        #expect(store.model.dependency(\.uuid)().uuidString.hasSuffix("1"))
        settings.louder()
        settings.fade()
        scheduler.advance(by: .seconds(1))
        #expect(store.dependencies[Shared.self].volume == 0)
    }

    @Test(
        "OS-49: it is activated where it is created: before the models that it is created for, or when it is first read"
    )
    func activation() {
        for (origin, expected) in [
            (Origin.override, ["+settings", "+app", "+row 1", "+counter"]),
            (.byDefault, ["+app", "+row 1", "+counter", "read", "+settings", "was read"]),
        ] {
            // As an application creates its store on the main thread, and as a test does.
            for isOnScheduler in [true, false] {
                let (scheduler, notes) = (TestScheduler(), Notes())
                let made = Box<Store<App>?>(nil)
                let make = { made.value = self.store(origin, scheduler, notes) }
                if isOnScheduler { scheduler.runAsCurrent(make) } else { make() }
                scheduler.advance()
                if origin == .byDefault {
                    scheduler.runAsCurrent {
                        notes.add("read")
                        _ = made.value?.model.rows[0].dependency(Shared.self)
                        notes.add("was read")
                    }
                }
                #expect(notes.value == expected)
            }
        }
    }

    @Test("OS-49: the default of a table that is read by itself is on the scheduler of the store")
    func table() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        let store = store(.byDefault, scheduler, notes)
        _ = store.dependencies[Shared.self]
        scheduler.advance()
        #expect(notes.value.contains("+settings"))
    }

    // MARK: Tests

    private func test(_ body: (TestStore<App>) -> Void) -> [String] {
        TestReport.collect {
            let test = TestStore<App>(initialState: .init()) {
                $0[Shared.self] = Settings(initialState: .init())
            }
            test.model.child { $0.dependency(Shared.self) }.assert { $0.id = "0" }
            body(test)
            test.finish()
        }.map(\.message)
    }

    @Test("OS-49, OS-53, OS-55: the state and the events of a shared model are asserted as those of others")
    func asserted() {
        let messages = test { test in
            let settings = test.model.child { $0.dependency(Shared.self) }
            test.model.perform { $0.dependency(Shared.self).louder() }
            settings.assert { $0.volume = 1 }
            settings.receive(.changed)
            settings.perform { $0.fade() }
            test.advance(by: .seconds(1))
            settings.assert(\.volume, 0)
            #expect(settings.model.dependency(\.date)().timeIntervalSince1970 == 1)
        }
        #expect(messages == [])
    }

    @Test("OS-49, OS-56: what was not accounted for is reported: state, events, tasks")
    func leftOver() {
        let messages = test { test in
            let settings = test.model.child { $0.dependency(Shared.self) }
            settings.perform { $0.louder() }
            settings.perform { $0.fade() }
        }
        #expect(messages.count == 3)
        #expect(
            messages.first == """
                The state of the dependency Settings has changes that were not asserted. From what was asserted to what \
                it is:

                    volume: 0 → 1
                """)
        #expect(messages.dropFirst().first == "Settings has sent changed, which was not received.")
        #expect(messages.last?.hasPrefix("Settings has a task that is still running") == true)
    }

    @Test("OS-49, OS-56: what a default does when a method reads it first has to be accounted for")
    func leftOverOfDefault() {
        let messages = TestReport.collect {
            let test = TestStore<App>(initialState: .init())
            test.model.perform { _ = $0.dependency(Shared.self) }
            test.finish()
        }.map(\.message)
        #expect(messages.count == 1)
        #expect(messages.first?.contains("id: \"\" → \"0\"") == true)
    }

    // MARK: Lifetimes

    @Test(
        "OS-49, OS-65: it ends with the store, whose dependencies its last hook reads",
        arguments: Origin.allCases)
    func end(origin: Origin) {
        let (scheduler, notes) = (TestScheduler(), Notes())
        weak var held: Notes?
        do {
            let token = Notes()
            held = token
            let store = store(origin, scheduler, notes)
            _ = store.model.dependency(Shared.self)
            store.model.dependency(Shared.self).context.state.opened = 1
            scheduler.advance()
            _ = withExtendedLifetime(token) { store }
        }
        #expect(held == nil)
        #expect(notes.value.last == "-settings")
        #expect(notes.value.count { $0 == "-settings" } == 1)
    }

    @Test("OS-49, OS-65: one that is contained in a closure that is a dependency ends with the store as well")
    func endInClosure() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        do {
            let store = Store<App>(initialState: .init(), scheduler: scheduler) { values in
                let settings = Settings(initialState: .init())
                values.notes = notes
                values[SearchKey.self] = { text in
                    settings.louder()
                    return .value(text)
                }
            }
            _ = store.model.dependency(SearchKey.self)("x")
            scheduler.advance()
        }
        scheduler.advance()
        #expect(notes.value == ["+settings", "+app", "-app"])
        // Its hook is behind the last table: it reads the default.
        #expect(scheduler.pendingCount == 0)
    }

    @Test("OS-49: one that is kept beyond the store goes on with its clock, and its own dependencies")
    func survivor() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        var store: Store<App>? = store(.ownValues, scheduler, notes)
        let settings = store?.model.dependency(Shared.self)
        scheduler.advance()
        store = nil
        settings?.louder()
        settings?.fade()
        scheduler.advance(by: .seconds(1))
        #expect(settings?.volume == 0)
        #expect(settings?.dependency(\.sound) == "own")
        #expect(!notes.value.contains("-settings"))
    }

    @Test("OS-49: a model that a shared one creates for itself is none")
    func createdByItself() {
        struct Maker: Model {
            struct State: Equatable {}
            let context: ModelContext<Maker>
            func onActivate() { Self.made.value = Settings(initialState: .init(), scheduler: .immediate) }
            static let made = Box<Settings?>(nil)
        }
        enum MakerKey: DependencyKey {
            static var liveValue: Maker { Maker(initialState: .init()) }
        }
        let fixture = Fixture<App>(.init()) { $0.sound = "off" }
        fixture.scheduler.runAsCurrent { _ = fixture.model.dependency(MakerKey.self) }
        #expect(Maker.made.value?.dependency(\.sound) == "on")
        Maker.made.value = nil
    }
}
