import PromisedSystem
import Testing

/// Values that are shown and edited.
@Suite struct EventBindingTests {
    private struct Form: Sendable {
        var name = ""
        var item: Int?
    }

    private enum Event: Sendable, Equatable { case typed(String), dismiss }

    private let sent = Log<Event>()
    private let system: System<Form, Event>

    init() {
        system = System(
            initialState: Form(item: 4), scheduler: .immediate,
            reducer: Reducer { [sent] (state: inout Form, event: Event) in
                sent.add(event)
                switch event {
                case .typed(let name): state.name = name.uppercased()
                case .dismiss: state.item = nil
                }
            })
    }

    @Test("SR-46: writing to a binding only sends an event; reading returns the owner's value") func write() {
        let system = system
        let name = system.settled.map(\.name).binding { system.sendEvent(.typed($0)) }
        let part = system.settled.binding(\.name) { system.sendEvent(.typed($0)) }
        name.value = "ada"
        #expect(sent.take() == [.typed("ada")])
        #expect([name.value, part.value] == ["ADA", "ADA"])
        part.value = "bob"
        #expect(sent.entries == [.typed("bob")])
        #expect(name.value == "BOB")
        let deaf = Source.constant(1).binding { _ in }
        deaf.value = 2
        #expect(deaf.value == 1)
    }

    @Test("SR-46: of an item only its dismissal is sent, once; writing a value that is not nil is a no-op")
    func item() {
        let system = system
        let item = system.settled.map(\.item).item { system.sendEvent(.dismiss) }
        item.value = 5
        #expect(sent.entries == [])
        #expect(item.value == 4)
        item.value = nil
        item.value = nil
        #expect(sent.entries == [.dismiss])
        #expect(item.value == nil)
    }

    @Test("SR-46: of a presence, too, only its dismissal is sent") func presence() {
        let system = system
        let presence = system.settled.map(\.item).presence { system.sendEvent(.dismiss) }
        presence.value = true
        #expect(sent.entries == [])
        #expect(presence.value)
        presence.value = false
        presence.value = false
        presence.value = true
        #expect(sent.entries == [.dismiss])
        #expect(!presence.value)
    }

    @Test("a control for a part edits it by events, which have the control's place as origin")
    func control() {
        let (lines, scoped) = (Log<Int>(), system.scoped())
        system.onLoop { lines.add($0.origin.line) }
        let (name, line) = (scoped.binding(\.name, Event.typed), #line)
        name.value = "ada"
        #expect(sent.entries == [.typed("ada")])
        #expect(name.value == "ADA")
        #expect(lines.entries == [line])
    }

    @Test("of a sheet only its dismissal is sent, once, with the sheet's place as origin") func sheet() {
        let (lines, scoped) = (Log<Int>(), system.scoped())
        system.onLoop { lines.add($0.origin.line) }
        let (sheet, line) = (scoped.item(\.item, dismiss: .dismiss), #line)
        sheet.value = 5
        #expect(sent.entries == [])
        #expect(sheet.value == 4)
        sheet.value = nil
        sheet.value = nil
        #expect(sent.entries == [.dismiss])
        #expect(sheet.value == nil)
        #expect(lines.entries == [line])
    }
}
