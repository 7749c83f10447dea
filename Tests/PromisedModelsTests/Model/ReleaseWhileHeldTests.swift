import Promise
import PromisedModels
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A store is released while something of it is held, awaited or about to be delivered.
@Suite(.tags(.sharedState)) struct ReleaseWhileHeldTests {
    /// What does not keep a store, though it refers to it.
    enum Holder: CaseIterable {
        case source, states, property, binding, reference, handle, hook, events, stream, token
        case record, table
    }

    static let volume = ModelProperty(0)

    private func hold(_ holder: Holder, _ store: Store<App>) -> Any {
        let row = store.model.rows[0]
        switch holder {
        case .source: return row.source(of: \.title)
        case .states: return store.states
        case .property: return row.property(Self.volume)
        case .binding: return ModelReference(row)
        case .reference: return ModelReference(store.model)
        case .handle: return store.model.forEach(AsyncStream<Int> { _ in }) { _ in }
        case .hook: return row.onCancel {}
        case .events: return row.events(ofType: String.self)
        case .stream: return row.changes(of: \.title)
        case .token: return row.source(of: \.title).subscribe { _ in }
        case .record: return store.onWrite { _ in }
        case .table: return store.dependencies
        }
    }

    @Test("OS-65: a store ends though something that refers to it is held", arguments: Holder.allCases)
    func held(holder: Holder) {
        let (scheduler, notes) = (TestScheduler(), Notes())
        weak var released: Store<App>?
        var held: Any?
        do {
            let store = Store<App>(initialState: .rows(1), scheduler: scheduler) { $0.notes = notes }
            scheduler.advance()
            released = store
            held = hold(holder, store)
            scheduler.advance()
        }
        #expect(released == nil)
        scheduler.advance()
        #expect(notes.value.last == "-app")
        withExtendedLifetime(held) {}
    }

    /// What can be awaited outside of the store.
    enum Awaited: CaseIterable { case values, changes, states, property, events, preferences, reader }

    private func awaiting(_ awaited: Awaited, _ store: Store<App>, _ end: @escaping @Sendable () -> Void)
        -> @Sendable () async -> Void
    {
        let row = store.model.rows[0]
        switch awaited {
        case .values:
            return { [stream = row.values(of: \.title)] in
                for await _ in stream {}; end()
            }
        case .changes:
            return { [stream = row.changes(of: \.title)] in
                for await _ in stream {}; end()
            }
        case .states:
            return { [stream = store.states.values] in
                for await _ in stream {}; end()
            }
        case .property:
            return { [stream = row.property(Self.volume).values] in
                for await _ in stream {}; end()
            }
        case .events:
            return { [stream = row.events(ofType: Int.self)] in
                for await _ in stream {}; end()
            }
        case .preferences:
            return { [stream = row.preferences(of: Unsaved.self)] in
                for await _ in stream {}; end()
            }
        case .reader:
            return { [stream = row.context.reader(\.title).values] in
                for await _ in stream {}; end()
            }
        }
    }

    @Test("OS-65: what is awaited ends with the store", arguments: Awaited.allCases, [false, true])
    func awaited(awaited: Awaited, isSignalled: Bool) async {
        let (scheduler, notes) = (TestScheduler(), Notes())
        var store: Store<App>? = Store<App>(initialState: .rows(1), scheduler: scheduler) { $0.notes = notes }
        scheduler.advance()
        guard let work = store.map({ awaiting(awaited, $0) { notes.add("end") } }) else { return }
        let task = Task { await work() }
        // Enqueued, and not delivered when the store is released.
        if isSignalled, let row = store?.model.rows[0] {
            row.state.title = "x"
            row.send(5)
            row.property(Self.volume).value = 3
            row.setPreference(Unsaved.self, 2)
        }
        store = nil
        scheduler.advance()
        await task.value
        #expect(notes.value.contains("-app") && notes.value.contains("end"))
        scheduler.finish()
    }

    @Test(
        "OS-65: a task that awaits a promise is cancelled when the store is released, and the promise with it"
    )
    func promise() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        struct Waiting: Model {
            struct State: Equatable { var number = 0 }
            let context: ModelContext<Waiting>
            func onActivate() {
                task {
                    let answer = Promise<Int> { [notes = dependency(\.notes)] resolver in
                        resolver.onCancel { notes.add("cancelled") }
                        Self.held.value = resolver
                    }
                    context.state.number = try await answer.value
                }
            }
            static let held = Box<Resolver<Int>?>(nil)
            func onDeactivate() { note("-waiting") }
        }
        do {
            let store = Store<Waiting>(initialState: .init(), scheduler: scheduler) { $0.notes = notes }
            scheduler.advance()
            _ = store
        }
        scheduler.advance()
        #expect(notes.value.sorted() == ["-waiting", "cancelled"])
        Waiting.held.value = nil
        scheduler.finish()
    }

    @Test(
        "OS-65: a handle to a part of a state keeps the store, as the model does that it is of",
        arguments: [0, 1])
    func keeping(kind: Int) {
        let fixture = Box<Fixture<App>?>(Fixture(.rows(1)))
        let notes = fixture.value?.notes ?? Notes()
        var held: Any? =
            kind == 0
            ? fixture.value?.model.rows[0].context.view(\.title) as Any
            : fixture.value?.model.rows[0].context.reader(\.title) as Any
        let scheduler = fixture.value?.scheduler
        fixture.value = nil
        scheduler?.advance()
        #expect(!notes.value.contains("-app"))
        #expect(held != nil)
        held = nil
        scheduler?.advance()
        #expect(notes.value.last == "-app")
    }
}
