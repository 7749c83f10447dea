import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What a task does that was cancelled, and whose client ignores that, has no effect.
struct CancelledTaskTests {
    /// What the task of a row can do late.
    enum Act: CaseIterable {
        case write, update, transaction, inPlace, child, parent, view, whole
        case event, foreignEvent, trigger, preference, property, override
        case task, sequence, change
    }

    /// How the task can be cancelled.
    enum Way: CaseIterable {
        case handle, key, inFlight, context, removal, element, sequence, removalOfSequence
    }

    /// An application with two rows, the task of the first of which does something late.
    private struct Late {
        let fixture = Fixture<App>(.rows(1, 2))
        let (answer, resolver): (Promise<Int>, Resolver<Int>)
        let (numbers, feed): (AsyncStream<Int>, AsyncStream<Int>.Continuation)
        static let volume = ModelProperty(0)

        var app: App { fixture.model }
        /// The one that is left if the first one is removed.
        let other: Row

        init() {
            (answer, resolver) = Promise<Int>.pending()
            (numbers, feed) = AsyncStream.makeStream(of: Int.self)
            other = fixture.model.rows[1]
            let (app, notes) = (fixture.model, fixture.notes)
            app.forEach(app.events(ofType: Row.Event.self)) { notes.add("\($0)") }
            app.forEach(app.events(ofType: String.self)) { notes.add($0) }
            other.counter.forEach(other.counter.triggers(of: String.self)) { notes.add($0) }
            fixture.scheduler.advance()
            _ = notes.take()
        }

        /// Begins the task, which acts behind the answer.
        func begin(_ act: Act, _ way: Way) -> Cancellable {
            let (row, other, app, answer) = (app.rows[0], other, app, answer)
            let work: @Sendable () async -> Void = { [self] in
                _ = await stubborn(answer)
                self.act(act, other, app)
            }
            switch way {
            case .handle, .removal: return row.task { await work() }
            case .key, .inFlight: return row.task { await work() }.cancel(for: "key")
            case .context: return row.withCancellationContext(for: "outer") { row.task { await work() } }
            case .element:
                return row.forEach(numbers, cancelPrevious: true) { if $0 == 1 { await work() } }
            case .sequence, .removalOfSequence: return row.forEach(numbers) { _ in await work() }
            }
        }

        func cancel(_ handle: Cancellable, _ way: Way) {
            let row = app.rows[0]
            switch way {
            case .handle, .sequence: handle.cancel()
            case .key: row.cancelAll(for: "key")
            case .inFlight: row.task {}.cancel(for: "key", cancelInFlight: true)
            case .context: row.cancelAll(for: "outer")
            case .removal, .removalOfSequence: app.state.rows.removeFirst()
            case .element: feed.yield(2)
            }
        }

        func act(_ act: Act, _ row: Row, _ app: App) {
            let notes = fixture.notes
            switch act {
            case .write: row.state.title = "late"
            case .update: row.state.update { $0.title = "late" }
            case .transaction: app.transaction { row.state.title = "late" }
            case .inPlace: row.state.title += "late"
            case .child: row.counter.increment()
            case .parent: app.state.title = "late"
            case .view: row.context.view(\.title).value = "late"
            case .whole: fixture.store.replace(.init())
            case .event: row.send(.rename("late"))
            case .foreignEvent: row.send("late")
            case .trigger: app.trigger("late")
            case .preference: row.setPreference(Unsaved.self, 5)
            case .property: row.property(Self.volume).value = 5
            case .override: row.override(\.sound, with: "late")
            case .task: row.task { notes.add("late task") }
            case .sequence: row.forEach(row.values(of: \.title)) { _ in notes.add("late sequence") }
            case .change: row.onChange(of: \.title) { notes.add("late \($0)") }
            }
        }

        /// Everything that the act can have changed.
        var seen: [String] {
            var seen = fixture.notes.take().filter { $0.contains("late") }
            seen.append("\(fixture.store.state)")
            seen.append("\(app.preference(Unsaved.self)) \(other.property(Self.volume).value)")
            seen.append(other.dependency(\.sound))
            return seen
        }
    }

    @Test("OS-33: what a cancelled task does late has no effect", arguments: Act.allCases, Way.allCases)
    func late(act: Act, way: Way) {
        let late = Late()
        let handle = late.begin(act, way)
        late.feed.yield(1)
        late.fixture.scheduler.advance()
        late.cancel(handle, way)
        late.fixture.scheduler.advance()
        let before = late.seen
        late.resolver.fulfill(0)
        late.fixture.scheduler.advance()
        late.app.rows.last?.state.title += "."
        late.fixture.scheduler.advance()
        late.app.rows.last?.state.title.removeLast()
        #expect(late.seen == before)
        late.feed.finish()
    }

    @Test("OS-33: without a cancellation each of these has an effect", arguments: Act.allCases)
    func control(act: Act) {
        let late = Late()
        _ = late.begin(act, .handle)
        late.fixture.scheduler.advance()
        let before = late.seen
        late.resolver.fulfill(0)
        late.fixture.scheduler.advance()
        if act == .change { late.other.state.title += "!" }
        late.fixture.scheduler.advance()
        #expect(late.seen != before)
    }
}
