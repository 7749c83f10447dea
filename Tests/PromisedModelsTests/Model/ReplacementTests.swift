import Foundation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What a model of a state that has been replaced can still do.
@Suite(.tags(.sharedState)) struct ReplacementTests {
    @Test("In a transaction, the model of a child that was replaced reads its own state, and cannot write")
    func replacedInTransaction() throws {
        Reports.begin()
        let fixture = Fixture<Board>(.init(card: .init(id: 1), note: .init(id: 1), side: .back(.init(id: 1))))
        let board = fixture.model
        let old: [Memo] = [
            try #require(board.card), board.note, try #require(board.child(\.side, case: Side.back)),
        ]
        fixture.after { board in
            board.transaction {
                board.state.update { state in
                    (state.card, state.note) = (.init(id: 2, text: "new"), .init(id: 2, text: "new"))
                    state.side = .back(.init(id: 2, text: "new"))
                }
                #expect(old.map(\.state.text) == ["", "", ""])
                for memo in old { memo.state.text = "written" }
                for memo in old { memo.state.update { $0.text += "!" } }
            }
        }
        let state = fixture.store.state
        #expect([state.card?.text, state.note.text] == ["new", "new"])
        #expect(state.side == .back(.init(id: 2, text: "new")))
        #expect(old.allSatisfy { !$0.context.isActive })
        #expect(Reports.about("A Memo wrote").count == 3)
    }

    @Test("In a transaction that replaces the root, the old root is refused as well")
    func replacedRoot() {
        let fixture = Fixture<Row>(.init(id: 1))
        let old = fixture.model
        fixture.after { row in
            row.transaction {
                fixture.store.replace(.init(id: 2, title: "new"))
                #expect(old.state.title == "")
                old.state.title = "written"
            }
        }
        #expect(fixture.store.state == .init(id: 2, title: "new"))
    }

    @Test("A write that is refused changes nothing in the models below it")
    func refusedWrite() {
        let fixture = Fixture<Pile>(.init(binders: [.init("a", tags: [.init(id: 1)]), .init("b")]))
        let label = fixture.model.binders[0].label
        let tag = label.tags[0]
        let day = Date(timeIntervalSince1970: 5)
        fixture.model.override(\.date, with: .constant(day))
        #expect(
            fixture.after { _ in
                label.context.state.update { state in
                    (state.text, state.tags) = ("b", [])
                }
            } == [])
        #expect(tag.context.isActive && fixture.store.state.binders.map(\.id) == ["a", "b"])
        #expect(tag.dependency(\.date)() == day)
        fixture.model.resetDependency(\.date)
        #expect(tag.dependency(\.date)() != day)
    }

    @Test("A property can be read in onDeactivate, and is evaluated once")
    func propertyAtTheEnd() {
        let fixture = Fixture<Camera?>(.init())
        #expect(fixture.after { _ in fixture.store.replace(nil) } == ["closing opened, made 1"])
    }

    @Test(
        "Observers are notified of the last write on the scheduler, also if another thread releases the store"
    )
    func releasedElsewhere() {
        let (scheduler, notes) = (TestScheduler(), Notes())
        var store: Store<Counter>? = Store(initialState: .init(), scheduler: scheduler) { $0.notes = notes }
        scheduler.advance()
        let token = store?.model.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        _ = notes.take()
        store?.model.state.count = 1
        store = nil
        #expect(notes.take() == ["-counter"])
        scheduler.advance()
        #expect(notes.take() == ["1"])
        withExtendedLifetime(token) {}
    }

    @Test("What the last state of a model has replaced is released where models can be read")
    func releasedState() {
        let fixture = Fixture<Cabinet>(.init())
        let (cabinet, notes) = (fixture.model, fixture.notes)
        let tray: Tray? = cabinet.child(\.content, case: Content.tray)
        tray?.context.state.object = Released {
            notes.add("second, \(cabinet.title)")
        }
        Cabinet.first.value = { notes.add("first, \(cabinet.title)") }
        #expect(fixture.after { $0.context.state.content = .none } == ["first, desk"])
        Cabinet.first.value = nil
    }
}

private struct Memo: Model {
    struct State: Hashable, Identifiable {
        var id: Int
        var text = ""
    }
    let context: ModelContext<Memo>
    var state: ModelState<Self> { context.state }
}

private enum Side: Hashable, Sendable {
    case front
    case back(Memo.State)

    static let back = CasePath<Side, Memo.State>(embed: Side.back) { side in
        if case .back(let memo) = side { memo } else { nil }
    }
}

private struct Board: Model {
    struct State: Equatable {
        var card: Memo.State?
        var note: Memo.State
        var side: Side
    }
    let context: ModelContext<Board>
    static let children: [Child<Board>] = [
        .optional(\.card, Memo.self), .one(\.note, Memo.self), .case(\.side, Side.back, Memo.self),
    ]
    var state: ModelState<Self> { context.state }
    var card: Memo? { optionalChild(\.card) }
    var note: Memo { child(\.note) }
}

private struct Label: Model {
    struct State: Equatable {
        var text: String
        var tags: [Memo.State] = []
    }
    let context: ModelContext<Label>
    static let children: [Child<Label>] = [.each(\.tags, Memo.self)]
    var tags: [Memo] { children(\.tags) }
}

private struct Binder: Model {
    struct State: Equatable, Identifiable {
        var label: Label.State
        var id: String { label.text }

        init(_ text: String, tags: [Memo.State] = []) { label = .init(text: text, tags: tags) }
    }
    let context: ModelContext<Binder>
    static let children: [Child<Binder>] = [.one(\.label, Label.self)]
    var label: Label { child(\.label) }
}

private struct Pile: Model {
    struct State: Equatable { var binders: IdentifiedArray<Binder.State> }
    let context: ModelContext<Pile>
    static let children: [Child<Pile>] = [.each(\.binders, Binder.self)]
    var binders: [Binder] { children(\.binders) }
}

private struct Camera: Model {
    struct State: Equatable {}
    let context: ModelContext<Camera>
    private static let made = Box(0)
    private static let handle = ModelProperty<String>(make())

    private static func make() -> String {
        made.change { $0 += 1 }
        return "initial"
    }

    func onActivate() { property(Self.handle).value = "opened" }
    func onDeactivate() { note("closing \(property(Self.handle).value), made \(Self.made.value)") }
}

private final class Released: Sendable {
    private let action: @Sendable () -> Void
    init(_ action: @escaping @Sendable () -> Void) { self.action = action }
    deinit { action() }
}

private enum Content: Sendable {
    case none
    case tray(Tray.State)

    static let tray = CasePath<Content, Tray.State>(embed: Content.tray) { content in
        if case .tray(let tray) = content { tray } else { nil }
    }
}

private struct Tray: Model {
    struct State: Sendable { var object: Released? = Released { Cabinet.first.value?() } }
    let context: ModelContext<Tray>
}

private struct Cabinet: Model {
    static let first = Box<(@Sendable () -> Void)?>(nil)

    struct State: Sendable {
        var title = "desk"
        var content = Content.tray(.init())
    }
    let context: ModelContext<Cabinet>
    static let children: [Child<Cabinet>] = [.case(\.content, Content.tray, Tray.self)]
}
