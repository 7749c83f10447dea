import Observation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct ObservationTests {
    /// Reads under observation, and returns how often it was notified since the last time.
    private func tracking<Value>(_ read: () -> Value) -> Box<Int> {
        let count = Box(0)
        _ = withObservationTracking(read) { count.change { $0 += 1 } }
        return count
    }

    @Test("OS-14: a reader is notified only if a property that it has read becomes unequal")
    func properties() {
        let fixture = Fixture<Counter>(.init())
        let reader = tracking { fixture.model.count }
        fixture.after { $0.state.other = 1 }
        #expect(reader.value == 0)
        fixture.after { $0.state.count = 0 }
        #expect(reader.value == 0)
        fixture.after { $0.state.count = 1 }
        #expect(reader.value == 1)
    }

    @Test("OS-12: a reader of a derived property is notified when what it reads changes below")
    func derived() {
        let fixture = Fixture<App>(.rows(1, 2))
        let reader = tracking { fixture.model.sum }
        fixture.after { $0.rows[0].state.title = "x" }
        #expect(reader.value == 0)
        fixture.after { $0.rows[1].counter.increment() }
        #expect(reader.value == 1)
    }

    @Test("OS-16: what is written on another thread is notified on the main actor")
    @MainActor
    func mainActor() async {
        let model = Counter(initialState: .init())
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        let token = model.source(of: \.count).subscribe(replayCurrent: false) { _ in
            continuation.yield(MainScheduler.main.isCurrent)
        }
        await Task.detached { model.increment() }.value
        for await isOnMain in stream {
            #expect(isOnMain)
            break
        }
        token.cancel()
    }

    @Test("OS-17: a reader of a list is notified of its structure, not of what is in its elements")
    func structure() {
        let fixture = Fixture<App>(.rows(1, 2))
        let reader = tracking { fixture.model.rows.count }
        fixture.after { $0.rows[0].state.title = "x" }
        #expect(reader.value == 0)
        fixture.after { $0.state.rows.append(.init(id: 3)) }
        #expect(reader.value == 1)
        let moved = tracking { fixture.model.rows.count }
        fixture.after { $0.state.rows.swapAt(0, 1) }
        #expect(moved.value == 1)
        let presence = tracking { fixture.model.sheet == nil }
        fixture.after { $0.state.sheet = .init() }
        #expect(presence.value == 1)
    }

    @Test("OS-17: a reader of a child is notified when another takes its place, or a case ends")
    func exchanged() {
        let page = Fixture<Page>(.init(cover: .init(id: 1)))
        let cover = tracking { page.model.cover?.context.isActive }
        page.after { $0.cover?.state.text = "x" }
        #expect(cover.value == 0)
        page.after { $0.state.cover = .init(id: 2) }
        #expect(cover.value == 1)
        let screen = Fixture<Screen>(.init(place: .count(.init())))
        let count = tracking { screen.model.count == nil }
        screen.after { $0.count?.increment() }
        #expect(count.value == 0)
        screen.after { $0.context.state.place = .edit(.init(id: 1)) }
        #expect(count.value == 1)
        let row = Fixture<App>(.rows(1, 2))
        let second: Box<Int> = tracking { row.model.child(\.rows, id: 2) as Row? == nil }
        row.after { $0.state.rows.removeLast() }
        #expect(second.value == 1)
    }

    @Test("OS-18: a property that is declared as writable has a binding, which writes to the store")
    func writable() {
        let fixture = Fixture<Form>(.init())
        fixture.model.$count.value = 4
        #expect(fixture.store.state.count == 4)
        #expect(fixture.model.$count.value == 4)
        let reader = tracking { fixture.model.$count.value }
        fixture.after { $0.$count.value = 5 }
        #expect(reader.value == 1)
    }

    @Test("OS-19: a binding of one's own calls the method once for each write")
    func manualBinding() {
        let fixture = Fixture<Form>(.init())
        let binding = fixture.model.binding(\.count) { [model = fixture.model] in model.countDidChange(to: $0)
        }
        binding.value = 4
        #expect(fixture.notes.value == ["4"])
        #expect(binding.value == 4)
    }

    @Test("OS-20: a notification context belongs to its writes, also to those of tasks")
    func contexts() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let context = NotificationContext { notify in
            notes.add("begin")
            notify()
            notes.add("end")
        }
        let token = fixture.model.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        _ = notes.take()
        context { fixture.model.increment() }
        fixture.model.increment()
        fixture.scheduler.advance()
        #expect(notes.take() == ["begin", "1", "end", "2"])
        context { _ = fixture.model.task { fixture.model.increment() } }
        fixture.scheduler.advance()
        #expect(notes.take().suffix(3) == ["begin", "3", "end"])
        token.cancel()
    }

    @Test("OS-20: in a transaction, a property is notified in the context of its last write")
    func contextsInTransaction() {
        let fixture = Fixture<Counter>(.init())
        let notes = fixture.notes
        let tokens = [
            fixture.model.source(of: \.count).subscribe(replayCurrent: false) { notes.add("count \($0)") },
            fixture.model.source(of: \.other).subscribe(replayCurrent: false) { notes.add("other \($0)") },
        ]
        let context = { (name: String) in
            NotificationContext { notify in
                notes.add("begin \(name)")
                notify()
                notes.add("end \(name)")
            }
        }
        let heard = fixture.after { model in
            model.transaction {
                context("a")({ model.state.count = 1 })
                model.state.other = 1
            }
        }
        #expect(heard == ["begin a", "count 1", "end a", "other 1"])
        let later = fixture.after { model in
            let whole = context("whole")
            whole {
                model.transaction {
                    context("a")({ model.state.count = 2 })
                    model.state.other = 2
                    context("b")({ model.state.count = 3 })
                }
            }
        }
        #expect(
            later == ["begin b", "count 3", "end b", "begin whole", "other 2", "end whole"])
        withExtendedLifetime(tokens) {}
    }

    @Test("OS-20: a replacement of the whole state in a transaction is a write like the others")
    func contextOfReplacement() {
        let fixture = Fixture<Counter>(.init())
        let (notes, store) = (fixture.notes, fixture.store)
        let token = fixture.model.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        let context = NotificationContext { notify in
            notes.add("in")
            notify()
        }
        let replacedLast = fixture.after { model in
            model.transaction {
                model.state.count = 1
                context { store.replace(.init(count: 2)) }
            }
        }
        #expect(replacedLast == ["in", "2"])
        let replacedFirst = fixture.after { model in
            model.transaction {
                context { store.replace(.init(count: 3)) }
                model.state.count = 4
            }
        }
        #expect(replacedFirst == ["4"])
        token.cancel()
    }

    @Test("OS-20: a context that forgets to notify, or does it twice, notifies once; it wraps nothing else")
    func carelessContexts() {
        let fixture = Fixture<App>(.init())
        let notes = fixture.notes
        let token = fixture.model.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        _ = notes.take()
        NotificationContext { _ in notes.add("forgets") }({ fixture.model.state.title = "a" })
        fixture.scheduler.advance()
        #expect(notes.take() == ["forgets", "a"])
        NotificationContext { notify in
            notify()
            notify()
        }({ fixture.model.state.title = "b" })
        fixture.scheduler.advance()
        #expect(notes.take() == ["b"])
        NotificationContext { _ in notes.add("wrapped") }({ fixture.model.state.sheet = .init() })
        fixture.scheduler.advance()
        #expect(notes.take() == ["+counter"])
        token.cancel()
    }

    @Test("OS-21: every change can be printed as a difference")
    func printing() {
        let fixture = Fixture<Counter>(.init(count: 1))
        let texts = Box<[String]>([])
        let token = fixture.store.printChanges { text in texts.change { $0.append(text) } }
        fixture.after { $0.state.count = 2 }
        #expect(texts.value.count == 1)
        #expect(
            texts.value.first.map { $0.contains("count") && $0.contains("1") && $0.contains("2") } == true)
        token.cancel()
        fixture.after { $0.state.count = 3 }
        #expect(texts.value.count == 1)
    }

    @Test("OS-21: the record of a write says where it was made, from above")
    func places() {
        let fixture = Fixture<App>(.rows(1, 2))
        let notes = fixture.notes
        let token = fixture.store.onWrite { notes.add("\($0.change)") }
        #expect(fixture.after { $0.rows[1].counter.increment() } == ["rows[1].counter.count"])
        #expect(fixture.after { $0.state.title = "x" } == ["title"])
        #expect(fixture.after { app in app.state.update { $0.title = "y" } } == ["App"])
        token.cancel()
    }

    @Test("OS-21: the record of an update has the place of its call")
    func origins() {
        let fixture = Fixture<Counter>(.init())
        let lines = Box<[Int]>([])
        let token = fixture.store.onWrite { record in lines.change { $0.append(record.origin.line) } }
        fixture.after { $0.state.update { $0.count = 1 } }
        #expect(lines.value == [#line - 1])
        token.cancel()
    }

    @Test("OS-64: what is read silently is not tracked")
    func silent() {
        let fixture = Fixture<Counter>(.init())
        let reader = tracking { fixture.model.nonObservableState.count + fixture.model.context.state.count }
        fixture.after { $0.increment() }
        #expect(reader.value == 0)
    }

    @Test("OS-20: of two writes in one context each is notified in it, and not behind the one before")
    func contextTwice() {
        let fixture = Fixture<App>(.init())
        let (app, notes) = (fixture.model, fixture.notes)
        let loud = NotificationContext { notify in
            notes.add("<")
            notify()
            notes.add(">")
        }
        let token = app.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let heard = fixture.after { app in
            loud {
                app.state.title = "a"
                app.state.title = "b"
            }
        }
        #expect(heard == ["<", "a", ">", "<", "b", ">"])
        token.cancel()
    }
}

struct Form: Model {
    struct State: Equatable { @Writable var count = 0 }
    let context: ModelContext<Form>

    func countDidChange(to count: Int) {
        note("\(count)")
        context.state.count = count
    }
}
