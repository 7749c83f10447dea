import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Transactions that write at several levels of a tree at once.
struct TransactionTests {
    @Test("What is below two writes of one transaction begins once and ends once")
    func twoLevels() {
        let fixture = Fixture<Page>(.init(sections: [.init(id: 1, items: [.init(id: 1)])]))
        #expect(
            fixture.after { page in
                page.transaction {
                    page.state.sections[0].title = "above"
                    page.sections[0].state.items.append(.init(id: 2))
                }
            } == ["+item 2"])
        #expect(
            fixture.after { page in
                page.transaction {
                    page.state.sections[0].title = "again"
                    page.sections[0].state.items.removeFirst()
                }
            } == ["-item 1"])
        #expect(fixture.model.sections[0].items.map(\.id) == [2])
        #expect(fixture.after { $0.state.sections = [] } == ["-item 2", "-section 1"])
    }

    @Test("What is added below a state that the same transaction removes never begins")
    func addedBelowRemoved() {
        let fixture = Fixture<Page>(.init(sections: [.init(id: 1, items: [.init(id: 1)])]))
        #expect(
            fixture.after { page in
                page.transaction {
                    page.sections[0].state.items.append(.init(id: 2))
                    page.state.sections = []
                }
            } == ["-item 1", "-section 1"])
    }

    @Test("What a transaction in a transaction has undone is no record")
    func undoneRecord() {
        let fixture = Fixture<Page>(.init())
        let notes = fixture.notes
        let records = fixture.store.onWrite { notes.add("\($0.change)") }
        let heard = fixture.after { page in
            page.transaction {
                try? page.transaction {
                    page.state.title = "b"
                    throw Failure()
                }
            }
        }
        #expect(heard == [])
        records.cancel()
    }

    @Test("A transaction is a record of what is left of it, without what one in it has undone")
    func recordOfRest() {
        let fixture = Fixture<Page>(.init(sections: [.init(id: 1)]))
        func record(undoes: Bool) -> [String] {
            let records = Box<[String]>([])
            let token = fixture.store.onWrite { records.value.append("\($0.change)") }
            fixture.model.transaction {
                fixture.model.sections[0].state.title += "a"
                guard undoes else { return }
                try? fixture.model.transaction {
                    fixture.model.state.title = "b"
                    throw Failure()
                }
            }
            fixture.scheduler.advance()
            token.cancel()
            return records.value
        }
        let records = record(undoes: false)
        #expect(records.count == 1 && record(undoes: true) == records)
    }

    @Test("An event that is sent before its sender is removed in a transaction reaches those above")
    func eventOfRemoved() {
        let fixture = Fixture<Page>(.init(sections: [.init(id: 1, items: [.init(id: 1)])]))
        let (page, notes) = (fixture.model, fixture.notes)
        page.forEach(page.events(ofType: Item.Event.self)) { notes.add("page: \($0)") }
        fixture.scheduler.advance()
        #expect(
            Set(
                fixture.after { page in
                    let item = page.sections[0].items[0]
                    page.transaction {
                        item.send(.done)
                        page.state.sections = []
                    }
                }) == ["page: done", "-item 1", "-section 1"])
    }

    @Test("A transaction that replaces the whole state notifies the observers of the root, and is a record")
    func wholeState() {
        let fixture = Fixture<Page>(.init())
        let (store, notes) = (fixture.store, fixture.notes)
        let token = fixture.model.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let records = store.onWrite { notes.add("\($0.change): \($0.after.title)") }
        #expect(
            Set(fixture.after { page in page.transaction { store.replace(.init(title: "new")) } })
                == ["new", "Page: new"])
        token.cancel()
        records.cancel()
    }

    @Test("The last state of a child that a transaction replaces is its own")
    func lastState() {
        let fixture = Fixture<Page>(.init(cover: .init(id: 1, text: "old")))
        let cover = fixture.model.cover
        #expect(
            fixture.after { page in page.transaction { page.state.cover = .init(id: 2, text: "new") } }
                == ["-item 1", "+item 2"])
        #expect(cover?.context.isActive == false)
        #expect(cover?.text == "old")
        #expect(fixture.model.cover?.text == "new")
    }

    @Test("The last state of a model whose store ends in a transaction is what others have seen")
    func endInTransaction() {
        let fixture = Fixture<Counter>(.init(count: 1))
        fixture.after { counter in
            counter.transaction {
                counter.state.count = 5
                fixture.store.end()
            }
        }
        #expect(!fixture.model.context.isActive && fixture.model.state.count == 1)
    }

    @Test("A child that is used first in a transaction begins with the state that others see")
    func undeclaredInTransaction() {
        struct Hidden: Model {
            struct State: Equatable { var rows: [Row.State] = [] }
            let context: ModelContext<Hidden>
            var rows: [Row] { children(\.rows) }
        }
        let fixture = Fixture<Hidden>(.init())
        var count: Int?
        let notes = fixture.after { hidden in
            hidden.transaction {
                hidden.context.state.rows = [.init(id: 1)]
                count = hidden.rows.count
            }
        }
        #expect(count == 0)
        #expect(notes == ["+row 1", "+counter"])
        #expect(fixture.model.rows.map(\.id) == [1])
    }

    @Test("The state before a transaction is released where it may write again")
    func release() {
        final class Guest: Sendable {
            let onRelease: @Sendable () -> Void
            init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
            deinit { onRelease() }
        }
        struct House: Model {
            struct State: Sendable {
                var guest: Guest?
                var count = 0
            }
            let context: ModelContext<House>
        }
        let fixture = Fixture<House>(.init())
        let state = fixture.model.context.state
        state.guest = Guest { state.count += 1 }
        fixture.model.transaction { state.guest = nil }
        #expect(fixture.store.state.count == 1)
    }
}
