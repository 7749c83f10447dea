import PromisedModelsTesting
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What is cancelled by whom, and what of it is called or reported.
struct TaskEndTests {
    @Test("OS-23: what a task throws because its model has ended does not go to its handler, whatever it is")
    func lateError() {
        let fixture = Fixture<App>(.rows(1))
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        fixture.model.rows[0].task {
            do {
                try await clock.sleep(for: .seconds(1))
            } catch {
                notes.add("cancelled")
                throw Failure()
            }
        } catch: { error in
            notes.add("handled \(error)")
        }
        fixture.scheduler.advance()
        #expect(
            fixture.after { $0.state.rows = [] }.sorted() == ["-counter", "-row 1", "cancelled"])
    }

    @Test("OS-31: a hook of a model that has ended already is called at once")
    func lateHook() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        fixture.after { $0.state.rows = [] }
        _ = notes.take()
        row.onCancel { notes.add("late") }
        #expect(notes.take() == ["late"])
    }

    @Test("OS-36: what replaces others under a key that it has already does not cancel itself")
    func ownKey() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        _ = notes.take()
        for number in 1...2 {
            model.withCancellationContext(for: "key") {
                model.onCancel { notes.add("\(number)") }.cancel(for: "key", cancelInFlight: true)
            }
        }
        fixture.scheduler.advance()
        #expect(notes.take() == ["1"])
    }

    @Test("OS-35: what is begun in nested contexts has the keys of the outer ones as well")
    func outerKey() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        model.withCancellationContext(for: 1) {
            model.withCancellationContext(for: 2) {
                model.withCancellationContext(for: 3) { _ = model.onCancel { notes.add("ended") } }
            }
        }
        #expect(fixture.after { $0.cancelAll(for: 1) } == ["ended"])
    }

    @Test("OS-34: what is cancelled under a key ends in the order in which it has begun")
    func order() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        for number in 1...3 { model.onCancel { notes.add("\(number)") }.cancel(for: "key") }
        #expect(fixture.after { $0.cancelAll(for: "key") } == ["1", "2", "3"])
    }

    @Test(
        "OS-33: a task that is cancelled ends, and not the task of another model that began as the same number"
    )
    func sameNumber() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let handles = fixture.model.rows.map { row in
            row.task {
                try await clock.sleep(for: .seconds(1))
                notes.add("\(row.id)")
            }
        }
        fixture.scheduler.advance()
        _ = notes.take()
        handles[0].cancel()
        fixture.scheduler.advance(by: .seconds(1))
        #expect(notes.take() == ["2"])
    }

    @Test("A model whose activation removes it may start a task, which does not run: that is no misuse")
    func removedByActivation() {
        enum Leave: DependencyKey {
            static let liveValue: @Sendable () -> Void = {}
        }
        struct Shy: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Shy>
            func onActivate() {
                dependency(Leave.self)()
                task { note("ran") }
            }
        }
        Reports.begin()
        let leave = Box<@Sendable () -> Void>({})
        let fixture = Fixture<[Shy]>([]) { $0[Leave.self] = { leave.value() } }
        leave.value = { [store = fixture.store] in store.replace([]) }
        fixture.store.replace([.init(id: 1)])
        fixture.scheduler.advance()
        leave.value = {}
        #expect(fixture.store.state.isEmpty)
        #expect(fixture.notes.value == [])
        #expect(Reports.about("A Shy started a task").isEmpty)
    }

    @Test(
        "OS-24: a CancellationError that a handler throws without a cancellation is an error, and ends nothing"
    )
    func cancelledElement() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers) { number in
            notes.add("\(number)")
            throw CancellationError()
        } catch: { _ in
            notes.add("error")
        }
        _ = notes.take()
        for number in 1...2 { feed.yield(number) }
        fixture.scheduler.advance()
        #expect(notes.take() == ["1", "error", "2", "error"])
    }

    @Test("A handling that ignores its cancellation is at work, also when the one after it has returned")
    func ignoredCancellation() {
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        let (never, end) = AsyncStream.makeStream(of: Void.self)
        let reports = TestReport.collect {
            let test = TestStore<Counter>(initialState: .init())
            test.model.model.forEach(numbers, cancelPrevious: true) { number in
                // A task of its own is not cancelled.
                if number == 1 { await Task { for await _ in never {} }.value }
            }
            test.advance()
            feed.yield(1)
            test.advance()
            feed.yield(2)
            test.advance()
            test.finish()
        }
        #expect(reports.count == 1)
        #expect(reports.first?.message.contains("still running") ?? false)
        end.finish()
    }
}
