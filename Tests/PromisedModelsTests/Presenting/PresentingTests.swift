import Observation
import PromisedModels
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// What is presented: bindings for a sheet, an alert and a stack, and dismissal from within.
@Suite(.tags(.sharedState)) struct PresentingTests {
    struct Screen: Model, Identifiable {
        struct State: Equatable, Identifiable {
            var id: Int
            var text = ""
        }
        let context: ModelContext<Screen>
        func onActivate() { note("+\(nonObservableState.id)") }
        func onDeactivate() { note("-\(nonObservableState.id)") }
    }

    enum Panel: Equatable {
        case first(Screen.State)
        case second(Screen.State)
        static let first = CasePath<Panel, Screen.State>(embed: Panel.first) {
            if case .first(let state) = $0 { state } else { nil }
        }
        static let second = CasePath<Panel, Screen.State>(embed: Panel.second) {
            if case .second(let state) = $0 { state } else { nil }
        }
    }

    struct Host: Model {
        struct State: Equatable {
            var sheet: Screen.State?
            @StateModel<Screen?> var cover = nil
            var panel: Panel?
            var always = Screen.State(id: 0)
            var screens: [Screen.State] = []
            var identified: IdentifiedArray<Screen.State> = []
            var table: [String: Screen.State] = [:]
            var shelf = Shelf()
            @Writable var alert: String? = nil
        }
        let context: ModelContext<Host>
        static let children: [Child<Host>] = [
            .optional(\.sheet, Screen.self), .of(\.$cover), .case(\.panel, Panel.first, Screen.self),
            .case(\.panel, Panel.second, Screen.self), .one(\.always, Screen.self),
            .each(\.screens, Screen.self), .each(\.identified, Screen.self), .each(\.table, Screen.self),
            .each(\.shelf, Screen.self),
        ]
        var state: ModelState<Self> { context.state }
    }

    /// A container that removes what is set to nil.
    struct Shelf: StateContainer, Equatable {
        var rows: [Int: Screen.State] = [:]
        var elementIDs: [Int] { rows.keys.sorted() }
        subscript(elementID id: Int) -> Screen.State? {
            get { rows[id] }
            set { rows[id] = newValue }
        }
    }

    private static func fixture(_ change: (inout Host.State) -> Void = { _ in }) -> Fixture<Host> {
        var state = Host.State()
        change(&state)
        return Fixture(state)
    }

    @Test("A binding to an optional child has its model, and takes it away")
    func item() {
        let fixture = Self.fixture()
        let (host, sheet) = (fixture.model, fixture.model.item(\.sheet) as EventBinding<Screen?>)
        #expect(sheet.value == nil)
        #expect(fixture.after { $0.state.sheet = .init(id: 1) } == ["+1"])
        #expect(sheet.value?.id == 1)
        #expect(fixture.after { _ in sheet.value = sheet.value } == [])
        #expect(fixture.after { _ in sheet.value = nil } == ["-1"])
        #expect(host.sheet == nil)
        let cover: EventBinding<Screen?> = host.item(\.$cover)
        #expect(fixture.after { $0.state.cover = .init(id: 2) } == ["+2"])
        #expect(fixture.after { _ in cover.value = nil } == ["-2"])
    }

    @Test("A binding to a case has its model while the enum is in it, and leaves other cases alone")
    func caseItem() {
        let fixture = Self.fixture { $0.panel = .first(.init(id: 1)) }
        let (first, second) = (
            fixture.model.item(\.panel, case: Panel.first) as EventBinding<Screen?>,
            fixture.model.item(\.panel, case: Panel.second) as EventBinding<Screen?>
        )
        #expect(first.value?.id == 1 && second.value == nil)
        #expect(fixture.after { _ in second.value = nil } == [])
        #expect(fixture.after { $0.state.panel = .second(.init(id: 2)) } == ["-1", "+2"])
        #expect(fixture.after { _ in first.value = nil } == [])
        #expect(second.value?.id == 2)
        #expect(fixture.after { _ in second.presence().value = false } == ["-2"])
        #expect(fixture.model.panel == nil)
    }

    @Test("A binding to the presence of a value is true while there is one, and only takes it away")
    func presence() {
        let fixture = Self.fixture()
        let alert = fixture.model.$alert.presence()
        alert.value = true
        #expect(!alert.value && fixture.model.alert == nil)
        fixture.model.state.alert = "failed"
        #expect(alert.value)
        alert.value = true
        #expect(fixture.model.alert == "failed")
        alert.value = false
        #expect(fixture.model.alert == nil)
    }

    @Test(
        "A presence sets a value once, and only where there is one to take away",
        arguments: [(true, false, 1), (true, true, 0), (false, false, 0), (false, true, 0)])
    func presenceOfNothing(isPresent: Bool, isSet: Bool, count: Int) {
        let fixture = Self.fixture { $0.alert = isPresent ? "failed" : nil }
        let alert = fixture.model.binding(\.alert) { [notes = fixture.notes] in notes.add($0 ?? "nil") }
        let notes = fixture.after { _ in alert.presence().value = isSet }
        #expect(notes == Array(repeating: "nil", count: count))
    }

    @Test("A binding to a stack has the identities, keeps what it is set to, and ignores what is not there")
    func stack() {
        let fixture = Self.fixture { $0.screens = (1...4).map { .init(id: $0, text: "\($0)") } }
        let stack = fixture.model.stack(\.screens, Screen.self)
        #expect(stack.value == [1, 2, 3, 4])
        #expect(fixture.after { _ in stack.value = [1, 2, 3] } == ["-4"])
        #expect(fixture.after { _ in stack.value = [2, 1, 9] } == ["-3"])
        #expect(fixture.model.screens.map(\.text) == ["2", "1"])
        #expect(fixture.after { $0.state.screens.append(.init(id: 7)) } == ["+7"])
        #expect(stack.value == [2, 1, 7])
        #expect(fixture.after { _ in stack.value = [] } == ["-2", "-1", "-7"])
    }

    @Test("What a binding has read is tracked: what there is, and not what is in it")
    func tracked() {
        let fixture = Self.fixture { $0.screens = [.init(id: 1)] }
        let (host, notes) = (fixture.model, fixture.notes)
        let reads: [(String, @Sendable () -> Void)] = [
            ("sheet", { _ = (host.item(\.sheet) as EventBinding<Screen?>).value }),
            ("panel", { _ = (host.item(\.panel, case: Panel.first) as EventBinding<Screen?>).value }),
            ("alert", { _ = host.$alert.presence().value }),
            ("stack", { _ = host.stack(\.screens, Screen.self).value }),
        ]
        for (name, read) in reads { withObservationTracking(read) { notes.add(name) } }
        #expect(fixture.after { $0.state.screens[0].text = "x" } == [])
        #expect(Set(fixture.after { $0.state.sheet = .init(id: 2) }) == ["sheet", "+2"])
        #expect(Set(fixture.after { $0.state.panel = .first(.init(id: 3)) }) == ["panel", "+3"])
        #expect(fixture.after { $0.state.alert = "x" } == ["alert"])
        #expect(Set(fixture.after { $0.state.screens.append(.init(id: 4)) }) == ["stack", "+4"])
    }

    struct Place: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout Host.State) -> Void
        let model: @Sendable (Host) -> Screen?
    }

    static let places: [Place] = [
        .init(testDescription: "an optional") {
            $0.sheet = .init(id: 7)
        } model: {
            $0.optionalChild(\.sheet)
        },
        .init(testDescription: "a case") {
            $0.panel = .second(.init(id: 7))
        } model: {
            $0.child(\.panel, case: Panel.second)
        },
        .init(testDescription: "an array") {
            $0.screens = (6...8).map { .init(id: $0) }
        } model: {
            $0.child(\.screens, id: 7)
        },
        .init(testDescription: "an identified array") {
            $0.identified = IdentifiedArray((6...8).map { .init(id: $0) })
        } model: {
            $0.child(\.identified, id: 7)
        },
        .init(testDescription: "a dictionary") {
            $0.table = ["a": .init(id: 6), "b": .init(id: 7)]
        } model: {
            $0.child(\.table, id: "b")
        },
        .init(testDescription: "a container of one's own") {
            $0.shelf.rows = [6: .init(id: 6), 7: .init(id: 7)]
        } model: {
            $0.child(\.shelf, id: 7)
        },
    ]

    @Test("A model dismisses itself, and no other", arguments: places)
    func dismiss(place: Place) throws {
        let fixture = Self.fixture(place.change)
        let before = fixture.store.state
        let model = try #require(place.model(fixture.model))
        #expect(fixture.after { _ in model.dismiss() } == ["-7"])
        #expect(!model.isActive && place.model(fixture.model) == nil)
        #expect(fixture.store.state != before)
        // In a transaction that throws nothing has happened.
        let again = Self.fixture(place.change)
        let other = try #require(place.model(again.model))
        let heard = again.after { host in
            try? host.transaction {
                other.dismiss()
                throw Failure()
            }
        }
        #expect(heard == [] && other.isActive && again.store.state == before)
        #expect(again.after { host in host.transaction { other.dismiss() } } == ["-7"])
    }

    @Test("Models at the root of a store dismiss themselves, in an optional and in an array")
    func dismissRoot() {
        let optional = Fixture<Screen?>(.init(id: 1))
        #expect(optional.after { $0?.dismiss() } == ["-1"])
        #expect(optional.store.state == nil)
        let array = Fixture<[Screen]>([.init(id: 1), .init(id: 2), .init(id: 3)])
        #expect(array.after { $0[1].dismiss() } == ["-2"])
        #expect(array.store.state.map(\.id) == [1, 3])
    }

    @Test(
        "A model that its parent always has is not dismissed, which is reported once; nor is one that has ended"
    )
    func undismissable() {
        struct Fixed: Model {
            struct State: Equatable { var text = "" }
            let context: ModelContext<Fixed>
        }
        Reports.begin()
        let fixture = Fixture<Fixed>(.init())
        fixture.after { $0.dismiss() }
        fixture.after { $0.dismiss() }
        #expect(fixture.model.isActive)
        #expect(Reports.about("A Fixed was dismissed").count == 1)
        let host = Self.fixture { $0.sheet = .init(id: 1) }
        let sheet: Screen? = host.model.optionalChild(\.sheet)
        #expect(host.after { _ in sheet?.dismiss() } == ["-1"])
        #expect(host.after { _ in sheet?.dismiss() } == [])
    }

    @Test("A task of a model that dismisses itself is cancelled, and its work after that has no effect")
    func dismissInTask() {
        let fixture = Self.fixture { $0.sheet = .init(id: 1) }
        let (sheet, notes): (Screen?, Notes) = (fixture.model.optionalChild(\.sheet), fixture.notes)
        sheet?.task {
            sheet?.dismiss()
            notes.add(Task.isCancelled ? "cancelled" : "goes on")
        }
        #expect(Set(fixture.after { _ in }) == ["cancelled", "-1"])
    }
}
