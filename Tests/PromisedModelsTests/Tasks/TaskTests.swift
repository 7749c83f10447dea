import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

struct TaskTests {
    @Test("OS-23: what a task throws goes to its handler, but not after the model has ended")
    func errors() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        let (promise, resolver) = Promise<Int>.pending()
        row.task {
            throw Failure()
        } catch: {
            notes.add("\(type(of: $0))")
        }
        row.task {
            _ = try await promise.value
        } catch: {
            notes.add("late \($0)")
        }
        #expect(fixture.after { _ in } == ["Failure"])
        #expect(fixture.after { $0.state.rows = [] } == ["-counter", "-row 1"])
        resolver.reject(Failure())
        #expect(fixture.after { _ in } == [])
        fixture.scheduler.finish()
    }

    @Test("OS-23: a task of an inactive model runs nothing, which is reported")
    func inactive() {
        struct Gone: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Gone>
        }
        Reports.begin()
        let fixture = Fixture<[Gone]>([.init(id: 1)])
        let gone = fixture.model[0]
        fixture.store.replace([])
        let ran = Box(false)
        gone.task { ran.value = true }.cancel()
        fixture.scheduler.advance()
        #expect(!ran.value)
        #expect(Reports.about("A Gone started a task").count == 1)
    }

    @Test("OS-24: elements are handled one at a time, and an error does not end that")
    func oneAtATime() {
        let fixture = Fixture<Counter>(.init())
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers) { number in
            notes.add("begin \(number)")
            try await clock.sleep(for: .seconds(1))
            if number == 2 { throw Failure() }
            notes.add("end \(number)")
        } catch: { _ in
            notes.add("error")
        }
        _ = notes.take()
        for number in 1...3 { feed.yield(number) }
        fixture.scheduler.advance(by: .seconds(10))
        #expect(notes.take() == ["begin 1", "end 1", "begin 2", "error", "begin 3", "end 3"])
        feed.finish()
        fixture.scheduler.advance()
        fixture.scheduler.finish()
    }

    @Test("OS-24: an error ends the iteration where that is asked for")
    func stopsOnError() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, stopsOnError: true) { number in
            notes.add("\(number)")
            throw Failure()
        } catch: { _ in
            notes.add("error")
        }
        _ = notes.take()
        for number in 1...3 { feed.yield(number) }
        fixture.scheduler.advance()
        #expect(notes.take() == ["1", "error"])
        fixture.scheduler.finish()
    }

    @Test(
        "OS-25: a sequence that fails has its last element finished first; an error of any handler can end it"
    )
    func latestAndErrors() {
        let fixture = Fixture<Counter>(.init())
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let (numbers, feed) = AsyncThrowingStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, cancelPrevious: true) { number in
            try await clock.sleep(for: .seconds(1))
            notes.add("end \(number)")
        } catch: {
            notes.add("\(type(of: $0))")
        }
        _ = notes.take()
        for number in 1...2 { feed.yield(number) }
        feed.finish(throwing: Failure())
        fixture.scheduler.advance(by: .seconds(5))
        #expect(notes.take() == ["end 2", "Failure"])

        let (others, more) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(others, cancelPrevious: true, stopsOnError: true) { number in
            notes.add("begin \(number)")
            throw Failure()
        } catch: { _ in
            notes.add("error")
        }
        more.yield(1)
        fixture.scheduler.advance()
        more.yield(2)
        fixture.scheduler.advance()
        #expect(notes.take() == ["begin 1", "error"])
        fixture.scheduler.finish()
    }

    @Test("OS-25: the iteration ends behind a cancelled handling that takes longer than the last one")
    func stubbornHandling() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let (answer, resolver) = Promise<Int>.pending()
        let (numbers, feed) = AsyncThrowingStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, cancelPrevious: true) { number in
            if number == 1 {
                await withCheckedContinuation { done in answer.done { _ in done.resume() } }
            }
            notes.add("end \(number)")
        } catch: {
            notes.add("\(type(of: $0))")
        }
        _ = notes.take()
        feed.yield(1)
        fixture.scheduler.advance()
        feed.yield(2)
        feed.finish(throwing: Failure())
        fixture.scheduler.advance()
        #expect(notes.take() == ["end 2"])
        resolver.fulfill(0)
        fixture.scheduler.advance()
        #expect(notes.take() == ["end 1", "Failure"])
        fixture.scheduler.finish()
    }

    @Test("OS-25: an element that comes after the cancellation is not handled")
    func latestAfterCancellation() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        let handle = fixture.model.forEach(numbers, cancelPrevious: true) { notes.add("\($0)") }
        fixture.scheduler.advance()
        _ = notes.take()
        feed.yield(1)
        handle.cancel()
        fixture.scheduler.advance()
        #expect(notes.take() == [])
        fixture.scheduler.finish()
    }

    @Test("OS-25: a new element cancels the handling of the one before; the last is finished")
    func cancelPrevious() {
        let fixture = Fixture<Counter>(.init())
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, cancelPrevious: true) { number in
            do {
                try await clock.sleep(for: .seconds(1))
                notes.add("done \(number)")
            } catch {
                notes.add("cancelled \(number)")
                throw error
            }
        }
        _ = notes.take()
        feed.yield(1)
        fixture.scheduler.advance()
        feed.yield(2)
        feed.finish()
        fixture.scheduler.advance(by: .seconds(2))
        #expect(notes.take() == ["cancelled 1", "done 2"])
        fixture.scheduler.finish()
    }

    @Test("OS-25: what a handler does when it is cancelled comes before the next one begins")
    func cancelledFirst() {
        let fixture = Fixture<Counter>(.init())
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.forEach(numbers, cancelPrevious: true) { number in
            notes.add("begin \(number)")
            defer { notes.add("end \(number)") }
            try await clock.sleep(for: .seconds(1))
        }
        _ = notes.take()
        for number in 1...3 {
            feed.yield(number)
            fixture.scheduler.advance(by: .milliseconds(500))
        }
        #expect(notes.take() == ["begin 1", "end 1", "begin 2", "end 2", "begin 3"])
        feed.finish()
        fixture.scheduler.advance(by: .seconds(1))
        fixture.scheduler.finish()
    }

    @Test("OS-25: the end of the model cancels what is handled")
    func modelEnds() {
        let fixture = Fixture<App>(.rows(1))
        let (notes, clock) = (fixture.notes, fixture.store.dependencies.clock)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        fixture.model.rows[0].forEach(numbers, cancelPrevious: true) { number in
            try await clock.sleep(for: .seconds(1))
            notes.add("done \(number)")
        }
        feed.yield(1)
        fixture.scheduler.advance()
        fixture.after { $0.state.rows = [] }
        fixture.scheduler.advance(by: .seconds(2))
        #expect(!notes.value.contains("done 1"))
        fixture.scheduler.finish()
    }

    @Test("OS-33: a task that is cancelled twice ends once, also before it has started")
    func cancelTwice() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        _ = notes.take()
        let handle = fixture.model.onCancel { notes.add("hook") }
        handle.cancel()
        handle.cancel()
        let task = fixture.model.task { notes.add("ran") }
        task.cancel()
        task.cancel()
        fixture.scheduler.advance()
        #expect(notes.take() == ["hook"])
    }

    @Test("OS-34: a key concerns only the model that cancels it")
    func keys() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (rows, notes) = (fixture.model.rows, fixture.notes)
        for row in rows { row.onCancel { notes.add("\(row.id)") }.cancel(for: "key") }
        fixture.model.onCancel { notes.add("app") }.cancel(for: Key.self)
        _ = notes.take()
        rows[0].cancelAll(for: "key")
        rows[0].cancelAll(for: "unknown")
        fixture.model.cancelAll(for: "key")
        fixture.scheduler.advance()
        #expect(notes.take() == ["1"])
        fixture.model.cancelAll(for: Key.self)
        fixture.scheduler.advance()
        #expect(notes.take() == ["app"])
    }

    private enum Key {}

    @Test(
        "OS-35: a context gives its key to all that begins in it, also in tasks; all keys of nested ones apply"
    )
    func contexts() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        _ = notes.take()
        model.withCancellationContext(for: "outer") {
            model.withCancellationContext(for: Key.self) {
                model.task {
                    model.onCancel { notes.add("inner") }
                    model.forEach(numbers) { notes.add("\($0)") }
                }
            }
            model.onCancel { notes.add("outer") }
        }
        fixture.scheduler.advance()
        feed.yield(1)
        fixture.scheduler.advance()
        #expect(notes.take() == ["1"])
        model.cancelAll(for: Key.self)
        fixture.scheduler.advance()
        feed.yield(2)
        fixture.scheduler.advance()
        #expect(notes.take() == ["inner"])
        model.cancelAll(for: "outer")
        fixture.scheduler.advance()
        #expect(notes.take() == ["outer"])
        fixture.scheduler.finish()
    }

    @Test(
        "OS-35: a context of an asynchronous closure gives its key, a value or a type, also after a suspension"
    )
    func asynchronousContexts() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        _ = notes.take()
        model.task {
            await model.withCancellationContext(for: Key.self) {
                await Task.yield()
                model.onCancel { notes.add("type") }
                await model.withCancellationContext(for: "value") {
                    await Task.yield()
                    model.onCancel { notes.add("both") }
                }
            }
            model.onCancel { notes.add("none") }
        }
        fixture.scheduler.advance()
        model.cancelAll(for: "value")
        fixture.scheduler.advance()
        #expect(notes.take() == ["both"])
        model.cancelAll(for: Key.self)
        fixture.scheduler.advance()
        #expect(notes.take() == ["type"])
    }

    @Test("OS-36: what is in flight under a key is cancelled first")
    func inFlight() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        _ = notes.take()
        for number in 1...5 {
            fixture.model.onCancel { notes.add("\(number)") }.cancel(for: "key", cancelInFlight: true)
        }
        fixture.scheduler.advance()
        #expect(notes.take() == ["1", "2", "3", "4"])
        fixture.model.cancelAll(for: "key")
        fixture.scheduler.advance()
        #expect(notes.take() == ["5"])
    }

    @Test("OS-37: without a key it is the place in the source, with its column")
    func inFlightByPlace() {
        let fixture = Fixture<Counter>(.init())
        let (model, notes) = (fixture.model, fixture.notes)
        func hook(_ text: String) -> Cancellable { model.onCancel { notes.add(text) } }
        _ = notes.take()
        for number in 1...2 {
            // On one line.
            hook("a\(number)").cancelInFlight(); hook("b\(number)").cancelInFlight()
        }
        fixture.scheduler.advance()
        #expect(notes.take() == ["a1", "b1"])
    }

    @Test("OS-38: a stream that is consumed ends with the model")
    func termination() {
        let fixture = Fixture<App>(.rows(1))
        let notes = fixture.notes
        let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
        feed.onTermination = { _ in notes.add("terminated") }
        fixture.model.rows[0].forEach(numbers) { notes.add("\($0)") }
        feed.yield(1)
        #expect(fixture.after { _ in } == ["1"])
        #expect(fixture.after { $0.state.rows = [] }.contains("terminated"))
        feed.yield(2)
        #expect(fixture.after { _ in } == [])
        fixture.scheduler.finish()
    }
}
