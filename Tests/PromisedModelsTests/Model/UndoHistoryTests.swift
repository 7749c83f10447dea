import Observation
import Promise
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct UndoHistoryTests {
    @Test("Changes are undone and done again, one step for each notified change")
    func steps() {
        let fixture = Fixture<App>(.init(title: "a"))
        let history = fixture.model.undoHistory(of: \.title)
        #expect(!history.canUndo && !history.canRedo)
        history.undo()
        history.redo()
        fixture.after { $0.state.title = "b" }
        fixture.after { app in
            app.transaction {
                app.state.title = "between"
                app.state.title = "c"
            }
        }
        fixture.after { _ in history.undo() }
        #expect(fixture.model.title == "b" && history.canUndo && history.canRedo)
        fixture.after { _ in history.undo() }
        #expect(fixture.model.title == "a" && !history.canUndo && history.canRedo)
        fixture.after { _ in history.redo() }
        fixture.after { _ in history.redo() }
        #expect(fixture.model.title == "c" && history.canUndo && !history.canRedo)
        fixture.after { _ in history.undo() }
        fixture.after { $0.state.title = "d" }
        #expect(!history.canRedo)
        fixture.after { _ in history.undo() }
        #expect(fixture.model.title == "b")
    }

    @Test("A model whose removal is undone begins again, with its state")
    func removal() {
        let fixture = Fixture<App>(.rows(1, 2))
        let history = fixture.model.undoHistory(of: \.rows)
        fixture.after { $0.rows[0].state.title = "x" }
        #expect(fixture.after { $0.state.rows.removeFirst() } == ["-counter", "-row 1"])
        #expect(fixture.after { _ in history.undo() } == ["+row 1", "+counter"])
        #expect(fixture.model.rows.map(\.title) == ["x", ""])
    }

    @Test("The oldest values are dropped beyond the limit")
    func limit() {
        let fixture = Fixture<App>(.init())
        let history = fixture.model.undoHistory(of: \.title, limit: 2)
        for title in ["a", "b", "c", "d"] { fixture.after { $0.state.title = title } }
        for _ in 0..<5 { fixture.after { _ in history.undo() } }
        #expect(fixture.model.title == "b")
    }

    @Test("OS-14: whether there is something to undo, and to redo, is tracked, each by itself")
    func tracked() {
        let fixture = Fixture<App>(.init())
        let (history, notes) = (fixture.model.undoHistory(of: \.title), fixture.notes)
        withObservationTracking {
            _ = history.canUndo
        } onChange: {
            notes.add("can undo")
        }
        withObservationTracking {
            _ = history.canRedo
        } onChange: {
            notes.add("can redo")
        }
        #expect(fixture.after { $0.state.title = "a" } == ["can undo"])
        #expect(fixture.after { _ in history.undo() } == ["can redo"])
    }

    @Test("A history is released with its last reference, and ends with its model")
    func release() {
        let fixture = Fixture<App>(.rows(1))
        weak var released: UndoHistory<String>?
        do {
            let history = fixture.model.undoHistory(of: \.title)
            released = history
            fixture.after { $0.state.title = "a" }
            #expect(history.canUndo)
        }
        #expect(released == nil)
        fixture.after { $0.state.title = "b" }
        let history = fixture.model.rows[0].undoHistory(of: \.title)
        fixture.after { $0.rows[0].state.title = "c" }
        fixture.after { $0.state.rows = [] }
        fixture.after { $0.state.rows = [.init(id: 1)] }
        #expect(fixture.model.rows[0].title == "")
        withExtendedLifetime(history) {}
    }

    @Test("Random changes, undone and done again, agree with a list of values", arguments: 1...20)
    func random(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let fixture = Fixture<App>(.init(title: "0"))
        let history = fixture.model.undoHistory(of: \.title)
        var (values, place) = (["0"], 0)
        for _ in 0..<rounds(100, stress: 5_000) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                fixture.after { _ in history.undo() }
                place = max(0, place - 1)
            case 1:
                fixture.after { _ in history.redo() }
                place = min(values.count - 1, place + 1)
            default:
                let title = "\(Int.random(in: 0..<5, using: &random))"
                fixture.after { $0.state.title = title }
                guard title != values[place] else { continue }
                values = Array(values[...place]) + [title]
                if values.count > 101 { values.removeFirst() }
                place = values.count - 1
            }
            #expect(fixture.model.title == values[place])
            #expect(history.canUndo == (place > 0) && history.canRedo == (place < values.count - 1))
        }
    }

    enum Act: Sendable { case write(String), undo, redo }

    /// What a turn does behind "a", "b" and "c", what is there then, and what further undoing leads to.
    private static let turns: [(acts: [Act], present: String, canRedo: Bool, before: [String])] = [
        ([.undo, .undo], "a", true, []),
        ([.undo, .redo], "c", false, ["b", "a"]),
        ([.write("d"), .undo], "c", true, ["b", "a"]),
        ([.write("d"), .undo, .undo], "b", true, ["a"]),
        ([.undo, .write("d")], "d", false, ["b", "a"]),
        ([.undo, .write("c")], "c", false, ["b", "a"]),
        ([.undo, .undo, .redo, .write("d"), .undo], "b", true, ["a"]),
        ([.write("d"), .write("e"), .undo, .redo], "e", false, []),
    ]

    @Test(
        "Changes and steps of one turn are known before they are notified", arguments: turns.indices,
        [true, false])
    func oneTurn(index: Int, isOnScheduler: Bool) {
        let fixture = Fixture<App>(.init(title: "a"))
        let (app, history) = (fixture.model, fixture.model.undoHistory(of: \.title))
        for title in ["b", "c"] { fixture.after { $0.state.title = title } }
        let turn = Self.turns[index]
        let act: @Sendable () -> Void = {
            for act in turn.acts {
                switch act {
                case .write(let title): app.state.title = title
                case .undo: history.undo()
                case .redo: history.redo()
                }
            }
        }
        if isOnScheduler { fixture.scheduler.schedule(act) } else { act() }
        fixture.scheduler.advance()
        #expect(app.title == turn.present && history.canRedo == turn.canRedo)
        // How many steps two writes in one turn are depends on whether they were notified separately.
        guard !turn.before.isEmpty || turn.present == "a" else { return }
        var before: [String] = []
        while history.canUndo {
            fixture.after { _ in history.undo() }
            before.append(app.title)
        }
        #expect(before == turn.before)
    }

    @Test(
        "An undo that changes nothing is no step: in a cancelled task, and in a transaction that fails",
        arguments: 0..<3)
    func withoutEffect(kind: Int) {
        let fixture = Fixture<App>(.init(title: "a"))
        let (app, history) = (fixture.model, fixture.model.undoHistory(of: \.title))
        fixture.after { $0.state.title = "b" }
        if kind == 0 {
            let (answer, resolver) = Promise<Void>.pending()
            let task = app.task {
                await stubborn(answer)
                history.undo()
            }
            fixture.scheduler.advance()
            task.cancel()
            resolver.fulfill(())
        } else {
            try? app.transaction {
                history.undo()
                if kind == 2 { history.redo() }
                throw Failure()
            }
        }
        fixture.scheduler.advance()
        #expect(app.title == "b" && history.canUndo && !history.canRedo)
        fixture.after { _ in history.undo() }
        #expect(app.title == "a" && !history.canUndo && history.canRedo)
    }

    @Test("NaN is one step, which is undone and done again")
    func nan() {
        let fixture = Fixture<Gauge>(.init())
        let history = fixture.model.undoHistory(of: \.reading)
        for number in [Double.nan, .nan, 2] { fixture.after { $0.state.reading.number = number } }
        fixture.after { _ in history.undo() }
        #expect(fixture.model.reading.number.isNaN && history.canRedo)
        fixture.after { _ in history.undo() }
        #expect(fixture.model.reading.number == 0 && !history.canUndo)
        fixture.after { _ in history.redo() }
        fixture.after { _ in history.redo() }
        #expect(fixture.model.reading.number == 2 && !history.canRedo)
    }

    private struct UndoneSheet: Model {
        struct State: Equatable { var title = "" }
        let context: ModelContext<UndoneSheet>
    }

    @Test("It ends with its model: there is nothing to undo any more, and no late write is reported")
    func end() {
        Reports.begin()
        let fixture = Fixture<UndoneSheet?>(.init())
        let history = fixture.model?.undoHistory(of: \.title)
        fixture.after { $0?.context.state.title = "b" }
        #expect(history?.canUndo == true)
        fixture.store.replace(nil)
        fixture.scheduler.advance()
        #expect(history?.canUndo == false && history?.canRedo == false)
        fixture.after { _ in history?.undo() }
        #expect(Reports.about("UndoneSheet").isEmpty)
    }
}
