import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// `onChange` with the value before, for expressions, and work that follows a value.
@Suite(.tags(.sharedState)) struct ChangeTests {
    @Test("A closure gets the old value and the new one, first the present one if it is asked for")
    func oldAndNew() {
        let fixture = Fixture<App>(.init(title: "a"))
        let notes = fixture.notes
        fixture.model.onChange(of: \.title) { notes.add("\($0)→\($1)") }
        fixture.model.onChange(of: \.title, initial: true) { notes.add("initial \($0)→\($1)") }
        fixture.model.onChange(of: \.title, initial: true) { notes.add("one \($0)") }
        #expect(fixture.after { _ in } == ["initial a→a", "one a"])
        #expect(fixture.after { $0.state.title = "b" } == ["a→b", "initial a→b", "one b"])
        #expect(fixture.after { $0.state.title = "b" } == [])
        #expect(fixture.after { $0.state.title = "c" } == ["b→c", "initial b→c", "one c"])
    }

    @Test("The old value is the one that others had seen, also if it is asked for in a transaction")
    func oldInTransaction() {
        let fixture = Fixture<App>(.init(title: "a"))
        let notes = fixture.notes
        let heard = fixture.after { app in
            app.transaction {
                app.state.title = "b"
                app.onChange(of: \.title, initial: true) { notes.add("\($0)→\($1)") }
            }
        }
        #expect(heard == ["a→a", "a→b"])
    }

    @Test("Nothing is called after the cancellation, not even for the present value")
    func cancelled() {
        let fixture = Fixture<App>(.init(title: "a"))
        let notes = fixture.notes
        let heard = fixture.after { app in
            app.onChange(of: \.title, initial: true) { notes.add("path \($0)→\($1)") }.cancel()
            app.onChange(of: { app.title }, initial: true) { notes.add("expression \($0)→\($1)") }.cancel()
            app.state.title = "b"
        }
        #expect(heard == [])
    }

    @Test(
        "An expression over several models is compared when something that it reads has changed, and then only"
    )
    func expression() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (app, notes, evaluated) = (fixture.model, fixture.notes, Box(0))
        app.onChange(of: {
            evaluated.change { $0 += 1 }
            return app.rows.reduce(0) { $0 + $1.counter.count }
        }) { notes.add("\($0)→\($1)") }
        fixture.after { _ in }
        evaluated.value = 0
        #expect(fixture.after { $0.rows[1].counter.increment() } == ["0→1"])
        #expect(fixture.after { $0.state.title = "x" } == [])
        #expect(fixture.after { $0.rows[0].counter.state.other = 5 } == [])
        #expect(evaluated.value == 1)
        #expect(fixture.after { $0.state.rows.append(.init(id: 3, counter: .init(count: 4))) }.last == "1→5")
        #expect(fixture.after { $0.rows[2].counter.increment() } == ["5→6"])
        let both = fixture.after { app in
            app.transaction {
                app.rows[0].counter.increment()
                app.rows[1].counter.state.count -= 1
            }
        }
        #expect(both == [])
    }

    @Test("An expression ends with its model, and reads shared models as well")
    func sharedModels() {
        let fixture = Fixture<App>(.rows(1))
        let (row, notes) = (fixture.model.rows[0], fixture.notes)
        let settings = fixture.model.dependency(SettingsKey.self)
        row.onChange(of: { settings.count > 1 }) { notes.add("\($0)→\($1)") }
        fixture.after { _ in }
        #expect(fixture.after { _ in settings.increment() } == [])
        #expect(fixture.after { _ in settings.increment() } == ["false→true"])
        fixture.after { $0.state.rows = [] }
        #expect(fixture.after { _ in settings.state.count = 0 } == [])
    }

    @Test(
        "Work that follows a value begins for the present one, and again for each later one, which cancels it"
    )
    func taskOfValue() {
        let fixture = Fixture<App>(.init(title: "a"))
        let (app, notes) = (fixture.model, fixture.notes)
        let handle = app.task(id: \.title) { title in
            notes.add("begin \(title)")
            do {
                try await app.dependency(\.clock).sleep(for: .seconds(1))
                notes.add("done \(title)")
            } catch {
                notes.add("cancelled \(title)")
            }
        }
        #expect(fixture.after { _ in } == ["begin a"])
        #expect(fixture.after { $0.state.title = "b" } == ["cancelled a", "begin b"])
        fixture.scheduler.advance(by: .seconds(1))
        #expect(fixture.notes.take() == ["done b"])
        #expect(fixture.after { $0.state.title = "c" } == ["begin c"])
        #expect(fixture.after { _ in handle.cancel() } == ["cancelled c"])
        #expect(fixture.after { $0.state.title = "d" } == [])
    }
}
