import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What a transaction leaves behind if a part of it is undone, or writes to what it has removed.
struct TransactionEdgeTests {
    @Test("A replacement of the whole state that is undone in a transaction is no record")
    func undoneReplacement() {
        let fixture = Fixture<Page>(.init(title: "a"))
        let (store, notes) = (fixture.store, fixture.notes)
        let records = store.onWrite { notes.add("\($0.change)") }
        let heard = fixture.after { page in
            page.transaction {
                try? page.transaction {
                    store.replace(.init(title: "b"))
                    throw Failure()
                }
            }
        }
        #expect(heard == [])
        records.cancel()
    }

    private static let writes: [@Sendable (App, Store<App>) -> Void] = [
        { app, _ in for title in ["a", "b"] { app.state.title = title } },
        { app, _ in
            app.state.title = "a"
            app.rows[0].counter.increment()
        },
        { app, _ in
            app.rows[0].counter.increment()
            app.state.rows.append(.init(id: 2))
        },
        { app, store in
            app.state.title = "a"
            store.replace(.rows(1, 2))
        },
        { app, store in
            store.replace(.rows(1, 2))
            app.state.title = "a"
        },
    ]

    @Test(
        "The record of a transaction has the states before its first write and after its last",
        arguments: writes.indices)
    func recordOfAll(write: Int) {
        let fixture = Fixture<App>(.rows(1))
        let (store, records) = (fixture.store, Box<[[App.State]]>([]))
        let token = store.onWrite { record in records.change { $0.append([record.before, record.after]) } }
        fixture.after { app in app.transaction { Self.writes[write](app, store) } }
        #expect(records.value == [[.rows(1), store.state]])
        token.cancel()
    }

    @Test("A task that is started immediately in a transaction writes as a part of it")
    func immediateTask() {
        let fixture = Fixture<App>(.init())
        let heard = fixture.after { app in
            try? app.transaction {
                Task.immediate { app.state.title = "a" }
                #expect(app.state.title == "a")
                throw Failure()
            }
            #expect(app.state.title == "")
            app.transaction { _ = Task.immediate { app.state.sheet = .init() } }
        }
        #expect(heard == ["+counter"])
    }

    @Test("The last state of a model that a transaction replaces or removes is the one that others have seen")
    func lastState() {
        struct Victim: Model {
            struct State: Equatable, Identifiable {
                var id: Int
                var text = "seen"
            }
            let context: ModelContext<Victim>
            func onDeactivate() { note("-\(self.id) \(self.text)") }
        }
        struct Host: Model {
            struct State: Equatable {
                var one = Victim.State(id: 1)
                var perhaps: Victim.State? = .init(id: 2)
                var all: [Victim.State] = [.init(id: 3), .init(id: 4)]
            }
            let context: ModelContext<Host>
            static let children: [Child<Host>] = [
                .one(\.one, Victim.self), .optional(\.perhaps, Victim.self), .each(\.all, Victim.self),
            ]
        }
        let fixture = Fixture<Host>(.init())
        let heard = fixture.after { host in
            host.transaction {
                host.context.state.update {
                    for index in $0.all.indices { $0.all[index].text = "hidden" }
                    $0.one.text = "hidden"
                    $0.perhaps?.text = "hidden"
                }
                host.context.state.one = .init(id: 5, text: "successor")
                host.context.state.perhaps = .init(id: 6, text: "successor")
                host.context.state.all = [.init(id: 4, text: "kept")]
            }
        }
        #expect(Set(heard) == ["-1 seen", "-2 seen", "-3 seen"])
    }

    @Test("A write to a state that the same transaction has removed before is ignored and reported once")
    func writeToRemoved() {
        struct Victim: Model {
            struct State: Equatable, Identifiable {
                var id: Int
                var text = ""
            }
            let context: ModelContext<Victim>
        }
        struct Host: Model {
            struct State: Equatable { var all: [Victim.State] = [.init(id: 1)] }
            let context: ModelContext<Host>
            static let children: [Child<Host>] = [.each(\.all, Victim.self)]
            var all: [Victim] { children(\.all) }
        }
        Reports.begin()
        let fixture = Fixture<Host>(.init())
        let victim = fixture.model.all[0]
        fixture.after { host in
            host.transaction {
                host.context.state.all = []
                victim.context.state.text = "x"
                victim.context.state.update { $0.text = "y" }
            }
        }
        #expect(fixture.store.state.all.isEmpty)
        #expect(Reports.about("A Victim wrote").count == 1)
    }

    @Test(
        "OS-14: a subscription that is made in a transaction that is undone compares with what is there then")
    func subscriptionInUndone() {
        let fixture = Fixture<App>(.init())
        let notes = fixture.notes
        var token: SubscriptionToken?
        fixture.after { app in
            try? app.transaction {
                app.state.title = "x"
                token = app.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
                throw Failure()
            }
        }
        #expect(fixture.after { $0.state.title = "x" } == ["x"])
        token?.cancel()
    }

    @Test("OS-59: an identified array at the root refuses an identity that it has, by way of a model as well")
    func collisionAtRoot() {
        struct Piece: Model {
            struct State: Equatable, Identifiable {
                var id: Int
                var text = ""
            }
            let context: ModelContext<Piece>
        }
        Reports.begin()
        let fixture = Fixture<IdentifiedModels<Piece>>([.init(id: 31, text: "a"), .init(id: 32, text: "b")])
        let two = fixture.model[1]
        two.context.state.id = 31
        fixture.scheduler.advance()
        #expect(fixture.store.state.map(\.id) == [31, 32])
        #expect(two.context.isActive)
        #expect(two.text == "b")
        #expect(
            Reports.about("refused a State, because it already has one with the identity 31").count == 1)
        two.context.state.id = 33
        #expect(fixture.store.state.map(\.id) == [31, 33])
    }

    @Test(
        "A replacement of the whole state in a transaction that throws is not in the record of the next one")
    func thrownReplacement() {
        let fixture = Fixture<App>(.rows(1))
        let (store, notes) = (fixture.store, fixture.notes)
        let records = store.onWrite { notes.add("\($0.change)") }
        fixture.after { app in
            try? app.transaction {
                store.replace(.init(title: "b"))
                throw Failure()
            }
        }
        let heard = fixture.after { app in app.transaction { app.rows[0].state.title = "x" } }
        #expect(heard == ["rows[0]"])
        records.cancel()
    }

    @Test("What a transaction in a transaction has undone is not notified in its context")
    func undoneContext() {
        let fixture = Fixture<App>(.init())
        let (app, notes) = (fixture.model, fixture.notes)
        let loud = NotificationContext { notify in
            notes.add("loud")
            notify()
        }
        let token = app.source(of: \.title).subscribe(replayCurrent: false) { notes.add($0) }
        let heard = fixture.after { app in
            app.transaction {
                app.state.title = "a"
                try? app.transaction {
                    loud { app.state.title = "b" }
                    throw Failure()
                }
            }
        }
        #expect(heard == ["a"])
        token.cancel()
    }
}
