import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What a cancelled task may still do, and what is no part of it.
struct CleanUpTests {
    private struct Loader: Model {
        struct State: Equatable { var isLoading = false, text = "", length = 0 }
        let context: ModelContext<Loader>
        var state: ModelState<Self> { context.state }

        func load(_ answer: Promise<String>) -> Cancellable {
            task {
                state.isLoading = true
                defer { cleanUp { state.isLoading = false } }
                state.text = await stubborn(answer)
            }
        }
    }

    @Test(
        "OS-33: a cancelled task undoes in its clean-up what it has done, and nothing else of it is written")
    func cleanUp() {
        let fixture = Fixture<Loader>(.init())
        let (answer, resolver) = Promise<String>.pending()
        let handle = fixture.model.load(answer)
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init(isLoading: true))
        handle.cancel()
        resolver.fulfill("late")
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init())
        #expect(fixture.model.cleanUp { 5 } == 5)
    }

    @Test("OS-33: an ignored effect is reported once, with the place where the task was begun")
    func report() {
        struct Late: Model {
            struct State: Equatable { var count = 0 }
            let context: ModelContext<Late>
        }
        Reports.begin()
        let fixture = Fixture<Late>(.init())
        let model = fixture.model
        let (answer, resolver) = Promise<Int>.pending()
        let line = #line + 1
        let handle = model.task {
            model.context.state.count += await stubborn(answer)
            model.context.state.count += 1
            model.send(1)
        }
        fixture.scheduler.advance()
        handle.cancel()
        resolver.fulfill(1)
        fixture.scheduler.advance()
        #expect(fixture.store.state.count == 0)
        let reports = Reports.about("A task of a Late was cancelled")
        #expect(reports.map { $0.origin.line } == [line])
    }

    @Test("OS-23: a task that has ended with its model may write to it by its clean-up or without: no misuse")
    func ended() {
        struct Departed: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Departed>
            func write() { context.state.update { $0 = State(id: 1) } }
        }
        Reports.begin()
        let fixture = Fixture<[Departed]>([.init(id: 1)])
        let gone = fixture.model[0]
        let (answer, resolver) = Promise<Int>.pending()
        gone.task {
            _ = await stubborn(answer)
            gone.write()
            gone.cleanUp { gone.write() }
        }
        fixture.scheduler.advance()
        fixture.store.replace([])
        resolver.fulfill(1)
        fixture.scheduler.advance()
        #expect(Reports.about("Departed").isEmpty)
    }

    @Test("OS-23: a write to a removed state is reported if nothing, or a task of another model, makes it")
    func removedByOther() {
        struct Gone: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Gone>
            func write() { context.state.update { _ in } }
        }
        struct Parent: Model {
            struct State: Equatable { var all = [Gone.State(id: 1)] }
            let context: ModelContext<Parent>
            static let children: [Child<Parent>] = [.each(\.all, Gone.self)]
            var all: [Gone] { children(\.all) }
        }
        Reports.begin()
        let counts = ["nothing", "its own task", "a task of its parent"].map { writer in
            let before = Reports.count
            let fixture = Fixture<Parent>(.init())
            let (parent, gone) = (fixture.model, fixture.model.all[0])
            let (answer, resolver) = Promise<Int>.pending()
            let work: @Sendable () async -> Void = {
                _ = await stubborn(answer)
                gone.write()
            }
            if writer == "its own task" { gone.task { await work() } }
            if writer == "a task of its parent" { parent.task { await work() } }
            fixture.scheduler.advance()
            fixture.after { $0.context.state.all = [] }
            if writer == "nothing" { gone.write() }
            resolver.fulfill(1)
            fixture.scheduler.advance()
            return Reports.about("A Gone wrote", after: before).count
        }
        #expect(counts == [1, 0, 1])
    }

    @Test("OS-33: handlers that are called because of what a cancelled task does are no part of it")
    func deliveries() {
        let fixture = Fixture<Loader>(.init())
        let loader = fixture.model
        let (answer, resolver) = Promise<String>.pending()
        loader.onChange(of: \.text) { loader.state.length = $0.count }
        let handle = loader.task {
            let text = await stubborn(answer)
            loader.cleanUp { loader.state.text = text }
        }
        // A hook is called for the cancellation, by whom ever.
        let hook = loader.onCancel { loader.state.isLoading = true }
        fixture.scheduler.advance()
        handle.cancel()
        resolver.fulfill("four")
        fixture.scheduler.advance()
        #expect(fixture.store.state == .init(text: "four", length: 4))
        let (more, last) = Promise<String>.pending()
        let other = loader.task {
            _ = await stubborn(more)
            hook.cancel()
        }
        fixture.scheduler.advance()
        other.cancel()
        last.fulfill("")
        fixture.scheduler.advance()
        #expect(fixture.store.state.isLoading)
    }

    @Test("OS-23: what a task has begun that has returned goes on", arguments: [false, true])
    func finished(isCancelledLater: Bool) async {
        let fixture = Fixture<Counter>(.init())
        let counter = fixture.model
        let (answer, resolver) = Promise<Int>.pending()
        let inner = Box<Task<Void, Never>?>(nil)
        let handle = counter.task {
            inner.value = Task { counter.state.count = await stubborn(answer) }
        }
        // Another one, so that there is a cancelled one.
        let (never, end) = Promise<Int>.pending()
        let stuck = counter.task { _ = await stubborn(never) }
        fixture.scheduler.advance()
        stuck.cancel()
        if isCancelledLater { handle.cancel() }
        resolver.fulfill(7)
        await inner.value?.value
        #expect(fixture.store.state.count == 7)
        end.fulfill(0)
        fixture.scheduler.advance()
    }

    @Test("OS-23: a hook that a cancelled task adds is called at once")
    func lateHook() {
        let fixture = Fixture<Counter>(.init())
        let (counter, notes) = (fixture.model, fixture.notes)
        let (answer, resolver) = Promise<Int>.pending()
        let handle = counter.task {
            _ = await stubborn(answer)
            counter.onCancel { notes.add("closed") }
            notes.add("end")
        }
        fixture.scheduler.advance()
        _ = notes.take()
        handle.cancel()
        resolver.fulfill(0)
        fixture.scheduler.advance()
        #expect(notes.take() == ["closed", "end"])
    }
}
