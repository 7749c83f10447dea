import PromisedModels
import PromisedTesting
import Testing

/// Which of the events that any model of a tree sends in any way are received by each form of listening.
///
/// The listener has a model above it, one beside it, children at two properties and one of another type, and one below
/// a child.
struct ListenerTableTests {
    struct Branch: Model {
        struct State: Equatable, Identifiable {
            var id: Int
            var first: [Branch.State] = []
            var second: [Branch.State] = []
            @StateModel<[Bud]> var third: [Bud.State] = []
            var twig: Twig.State?
        }
        enum Event: Hashable {
            case plain, number(Int)
            static let number = CasePath<Event, Int>(embed: Event.number) {
                if case .number(let number) = $0 { number } else { nil }
            }
        }
        let context: ModelContext<Branch>
        static let children: [Child<Branch>] = [
            .each(\.first, Branch.self), .each(\.second, Branch.self), .of(\.$third),
            .optional(\.twig, Twig.self),
        ]
        var first: [Branch] { children(\.first) }
        var second: [Branch] { children(\.second) }
        var all: [Branch] { [self] + (first + second).flatMap(\.all) }
        var twig: Twig? { optionalChild(\.twig) }
    }

    /// A model of another type, with events of the same type.
    struct Twig: Model {
        struct State: Equatable { var id = 0 }
        typealias Event = Branch.Event
        let context: ModelContext<Twig>
    }

    struct Bud: Model {
        struct State: Equatable, Identifiable { var id: Int }
        typealias Event = Branch.Event
        let context: ModelContext<Bud>
    }

    /// Above the listener, the 3, are 1; beside it 2; below it 4 and 8 at the first property, 5 and 9 at the second one,
    /// 6 at the third, 7 below 5, and 0 of another type.
    private static let state = Branch.State(
        id: 1, first: [.init(id: 2)],
        second: [
            .init(
                id: 3, first: [.init(id: 4), .init(id: 8)],
                second: [.init(id: 5, second: [.init(id: 7)]), .init(id: 9)], third: [.init(id: 6)],
                twig: .init())
        ])

    private enum Place { case above, beside, own, first, second, third, below, other }
    private static let places: [Int: Place] = [
        1: .above, 2: .beside, 3: .own, 4: .first, 8: .first, 5: .second, 9: .second, 6: .third, 7: .below,
        0: .other,
    ]

    enum Form: CaseIterable {
        case own, equal, ofType, fromType, ofCase, triggers
        case fromFirst, fromSecond, fromThird, equalFromFirst, equalFromSecond, equalFromThird
    }

    static let receivers: [EventReceivers] = [
        [.sender, .ancestors], .sender, .parent, .ancestors, .children, .descendants, [.parent, .children],
        [.sender, .ancestors, .descendants], [],
    ]

    /// Whether what a model at a place sends reaches the listener, on its way up or down.
    private func reaches(_ place: Place, _ receivers: EventReceivers) -> Bool {
        switch place {
        case .own: receivers.contains(.sender)
        case .above: !receivers.isDisjoint(with: [.children, .descendants])
        case .beside: false
        case .first, .second, .third, .other: !receivers.isDisjoint(with: [.parent, .ancestors])
        case .below: receivers.contains(.ancestors)
        }
    }

    /// Whether a form has an event that has reached the listener.
    private func takes(_ form: Form, _ place: Place) -> Bool {
        switch form {
        case .equal, .ofType: true
        case .own: place == .own
        case .fromType: ![.above, .other, .third].contains(place)
        case .ofCase: place != .above
        case .triggers: place == .above
        case .fromFirst, .equalFromFirst: place == .first
        case .fromSecond, .equalFromSecond: place == .second
        case .fromThird, .equalFromThird: place == .third
        }
    }

    private func listen(_ form: Form, _ model: Branch, _ heard: @escaping @Sendable (Int) -> Void) {
        let event = Branch.Event.number(7)
        switch form {
        case .own: model.forEach(model.events()) { _ in heard(0) }
        case .equal: model.forEach(model.events(of: event)) { _ in heard(0) }
        case .ofType: model.forEach(model.events(ofType: Branch.Event.self)) { _ in heard(0) }
        case .fromType: model.forEach(model.events(fromType: Branch.self)) { heard($0.sender.id) }
        case .ofCase: model.forEach(model.events(ofCase: Branch.Event.number)) { heard($0 - 7) }
        case .triggers: model.forEach(model.triggers(of: Branch.Event.self)) { _ in heard(0) }
        case .fromFirst: model.forEach(model.events(from: \.first, Branch.self)) { heard($0.sender.id) }
        case .fromSecond: model.forEach(model.events(from: \.second, Branch.self)) { heard($0.sender.id) }
        case .fromThird: model.forEach(model.events(from: \.$third)) { heard($0.sender.id) }
        case .equalFromFirst:
            model.forEach(model.events(of: event, from: \.first, Branch.self)) { heard($0.id) }
        case .equalFromSecond:
            model.forEach(model.events(of: event, from: \.second, Branch.self)) { heard($0.id) }
        case .equalFromThird: model.forEach(model.events(of: event, from: \.$third)) { heard($0.id) }
        }
    }

    @Test("OS-39 to OS-43, OS-60: each form of listening", arguments: Form.allCases, receivers)
    func table(form: Form, receivers: EventReceivers) {
        let fixture = Fixture<Branch>(Self.state)
        let listener = fixture.model.second[0]
        let heard = Box<[Int]>([])
        listen(form, listener) { sender in heard.change { $0.append(sender) } }
        fixture.scheduler.advance()
        for (id, place) in Self.places.sorted(by: { $0.key < $1.key }) {
            heard.value = []
            switch place {
            case .other: listener.twig?.send(.number(7), to: receivers)
            case .third: listener.$third[0].send(.number(7), to: receivers)
            default:
                fixture.model.all.first { $0.id == id }?.send(.number(7), to: receivers)
            }
            fixture.scheduler.advance()
            let isExpected = reaches(place, receivers) && takes(form, place)
            #expect(heard.value.count == (isExpected ? 1 : 0), "\(place)")
            // Those with a sender have the right one.
            let hasSender = ![.own, .equal, .ofType, .ofCase, .triggers].contains(form)
            if isExpected, hasSender { #expect(heard.value == [id]) }
        }
    }

    @Test(
        "OS-41, OS-60: another event, another case and another type are not received",
        arguments: Form.allCases)
    func others(form: Form) {
        let fixture = Fixture<Branch>(Self.state)
        let listener = fixture.model.second[0]
        let heard = Box<[Int]>([])
        listen(form, listener) { sender in heard.change { $0.append(sender) } }
        fixture.scheduler.advance()
        let isAnyEvent = [.own, .ofType, .fromType, .triggers, .fromFirst, .fromSecond, .fromThird].contains(
            form)
        for branch in fixture.model.all {
            branch.send(.plain, to: [.sender, .ancestors, .descendants])
            branch.send("text", to: [.sender, .ancestors, .descendants])
        }
        listener.twig?.send(.plain)
        listener.$third[0].send(.plain)
        fixture.scheduler.advance()
        let senders = Self.places.values.filter {
            reaches($0, [.sender, .ancestors, .descendants]) && takes(form, $0)
        }
        #expect(heard.value.count == (isAnyEvent ? senders.count : 0))
    }
}
