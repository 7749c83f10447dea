import Foundation
import PromisedSources
import TestSupport
import Testing

/// Random programs over two sources, against a plain model of what their present models offer.
@Suite struct RandomActionTests {
    @Test(
        "actions that are carried, mapped, decoded and called late are executed exactly where they are offered"
    )
    func programs() {
        let first = isStress ? firstSeed() : 1
        for seed in first..<first &+ UInt64(rounds(500, stress: 100_000)) {
            let program = Program(seed: seed)
            for _ in 0..<12 { program.step() }
            if let difference = program.difference {
                Issue.record("seed \(seed): \(difference)")
                return
            }
        }
    }
}

/// Everything is executed by one thread, so that the plain model needs no synchronisation.
private final class Program {
    /// The action that is named by a number, of one of the desks.
    struct Held {
        let action: Action<Int>
        let name: Name
        var link: Link?
    }

    struct Name: Hashable {
        let desk: Int
        let number: Int
    }

    final class Link {
        enum Status { case unset, live, wrongSource }
        var status = Status.unset
    }

    private var dice: SeededGenerator
    private var desks: [Desk] = []
    /// What is at the declared places of each desk's present model.
    private var offered: [[Held?]] = [[], []]
    private var held: [Held] = []
    private var runs: [Name] = []
    /// How deep sets inside of deliveries and of actions are nested.
    private var depth = 0
    private(set) var difference: String?
    private var tokens: [SubscriptionToken] = []

    init(seed: UInt64) {
        dice = SeededGenerator(seed: seed)
        desks = (0..<2).map { Desk("desk \($0)") }
        for (index, desk) in desks.enumerated() {
            offered[index] = [own(index, 0), nil, nil, nil]
            let program = Unchecked(self)
            desk.whenRun.wrappedValue = { program.value?.ran(Name(desk: index, number: $0)) }
            let token = desk.eraseToSource().subscribe(replayCurrent: false) { _ in program.value?.delivered()
            }
            tokens.append(token)
        }
        held = [own(0, 0), own(1, 0)]
    }

    private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &dice) == 0 }
    private func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &dice) }
    private func own(_ desk: Int, _ number: Int) -> Held {
        Held(action: desks[desk].declared[number], name: Name(desk: desk, number: number), link: nil)
    }

    func step() {
        switch pick(6) {
        case 0, 1: set(pick(2))
        case 2: revive(pick(2))
        default: call(held[pick(held.count)])
        }
    }

    // MARK: Sets

    private func anything(_ desk: Int, _ place: Int) -> Held? {
        switch pick(5) {
        case 0: nil
        case 1, 2: own(desk, place)
        case 3: own(pick(2), pick(4))
        default: held[pick(held.count)]
        }
    }

    private func set(_ desk: Int) {
        var places = (0..<4).map { anything(desk, $0) }
        if places[0] == nil { places[0] = own(desk, 0) }
        show(places, in: desk)
        held += places.compactMap { $0 }
        if held.count > 20 { held.removeFirst(held.count - 20) }
    }

    /// Sets a desk to a model, after the plain model: subscribers and actions look at that one.
    private func show(_ places: [Held?], in desk: Int) {
        offered[desk] = places
        for case let held? in places {
            if held.name.desk == desk {
                held.link?.status = .live
            } else if held.link?.status == .unset {
                held.link?.status = .wrongSource
            }
        }
        desks[desk].model = Desk.Model(places.map { $0?.action })
    }

    private func revive(_ desk: Int) {
        guard let data = try? JSONEncoder().encode(desks[desk].model),
            let model = try? JSONDecoder().decode(Desk.Model.self, from: data)
        else { return difference = "a model can't be encoded and decoded" }
        let places = zip(model.actions, offered[desk]).map { action, before in
            action.flatMap { action in before.map { Held(action: action, name: $0.name, link: Link()) } }
        }
        held += places.compactMap { $0 }
        let index = chance(4) ? 1 - desk : desk
        show(places, in: index)
    }

    // MARK: Calls

    private func isAvailable(_ held: Held) -> Bool {
        (held.link.map { $0.status == .live } ?? true)
            && offered[held.name.desk][held.name.number]?.name == held.name
    }

    private func call(_ held: Held) {
        let (isAvailable, before) = (isAvailable(held), runs.count)
        var problem: ActionProblem?
        let note: (ActionProblem) -> Bool = {
            problem = $0
            return false
        }
        if chance(3) {
            held.action.map { (text: String) in text.count }("four", ifUnavailable: note)
        } else {
            held.action(4, ifUnavailable: note)
        }
        let first = runs.count > before ? runs[before] : nil
        if isAvailable ? first != held.name || problem != nil : first != nil || problem == nil {
            difference = "\(held.action), available: \(isAvailable), executed: \(String(describing: first))"
        }
    }

    private func ran(_ name: Name) {
        runs.append(name)
        nested { if chance(2) { set(name.desk) } else if chance(3) { call(held[pick(held.count)]) } }
    }

    private func delivered() { nested { if chance(6) { set(pick(2)) } } }

    private func nested(_ body: () -> Void) {
        guard depth < 2 else { return }
        depth += 1
        body()
        depth -= 1
    }
}

/// A reference that `@Sendable` closures hold, used by one thread only.
private struct Unchecked<Value: AnyObject>: @unchecked Sendable {
    weak var value: Value?
    init(_ value: Value) { self.value = value }
}

/// A source whose model has four places for actions, of which the second is optional, the third in an array, and the
/// fourth found by a closure.
private final class Desk: DecodableActionSource {
    struct Model: Sendable, Codable {
        var first: Action<Int>
        var second: Action<Int>?
        var list: [Action<Int>?]
        var fourth: [String: Action<Int>]

        init(_ places: [Action<Int>?]) {
            (first, second) = (places[0] ?? .doNothing, places[1])
            (list, fourth) = ([.placeholder, places[2]], places[3].map { ["x": $0] } ?? [:])
        }

        var actions: [Action<Int>?] { [first, second, list[1], fourth["x"]] }
    }

    let state = SourceState<Model>()
    let sourceIdentifier: String
    let whenRun = Threadsafe<(@Sendable (Int) -> Void)?>(wrappedValue: nil)
    init(_ identifier: String) { sourceIdentifier = identifier }

    var initialModel: Model { Model([first, nil, nil, nil]) }
    var decodableActions: [any DeclaredAction] { declared }
    var declared: [Action<Int>] { [first, second, third, fourth] }

    private var first: Action<Int> { action(Desk.runFirst, at: \.first) }
    private var second: Action<Int> { action(Desk.runSecond, at: \.second) }
    private var third: Action<Int> { action(Desk.runThird, at: \.list[1]) }
    private var fourth: Action<Int> { action(Desk.runFourth, at: { $0.fourth["x"] }) }

    private func runFirst(_: Int) { whenRun.wrappedValue?(0) }
    private func runSecond(_: Int) { whenRun.wrappedValue?(1) }
    private func runThird(_: Int) { whenRun.wrappedValue?(2) }
    private func runFourth(_: Int) { whenRun.wrappedValue?(3) }
}
