import Promise
import PromisedSystem
import Testing

/// A subscriber, as a closure captures it and as an object.
final class Ear: Sendable {
    let name: String
    private let heard: Log<String>
    private let onHearing: @Sendable (Int) -> Void

    init(_ name: String, _ heard: Log<String>, _ onHearing: @escaping @Sendable (Int) -> Void = { _ in }) {
        (self.name, self.heard, self.onHearing) = (name, heard, onHearing)
    }

    func hear(_ number: Int) {
        heard.add("\(name) \(number)")
        onHearing(number)
    }

    func note() { hear(1) }
    func show(_ parts: Parts) { hear(parts.number) }
}

/// A state with a part of every kind, all of which are set by each event.
struct Parts: Sendable, Equatable {
    struct Row: Sendable, Equatable, Identifiable {
        var id = 1
        var number = 0
    }

    var number = 0
    var rows = [Row(id: 0), Row(id: 1), Row(id: 2)]
    var sheet: Row? = Row()

    static func system() -> PartsSystem {
        PartsSystem(
            initialState: Parts(), scheduler: .immediate,
            reducer: Reducer { parts, number in
                parts.number = number
                parts.rows[1].number = number
                parts.sheet = Row(number: number)
            })
    }
}

typealias PartsSystem = System<Parts, Int>

/// Every way to subscribe to a number of a system.
struct SubscriptionKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subscribe: @Sendable (PartsSystem, Ear) -> SubscriptionToken
    /// The source that is subscribed to; nil for callbacks of the system itself.
    var source: (@Sendable (PartsSystem) -> Source<Int>)?

    private init(_ name: String, _ source: @escaping @Sendable (PartsSystem) -> Source<Int>) {
        (testDescription, self.source) = (name, source)
        subscribe = { system, ear in source(system).subscribe { ear.hear($0) } }
    }

    private init(_ name: String, by subscribe: @escaping @Sendable (PartsSystem, Ear) -> SubscriptionToken) {
        (testDescription, self.subscribe) = (name, subscribe)
    }

    private typealias Way<Local: Sendable> = Scope<Parts, Int, Local, Int>

    private static let row = Way<Parts.Row?>(id: 1, in: \.rows, event: CasePath(embed: { $1 }) { (1, $0) })
    private static let sheet = Way<Parts.Row?>(state: \.sheet, event: CasePath(embed: { $0 }) { $0 })
    private static let custom = Way<Int>(
        get: { $0.number }, modify: { _, _ in }, extract: { $0 }, embed: { $0 })

    static let sources: [SubscriptionKind] = [
        .init("part") { $0.scoped(to: \.number).settled },
        .init("shown part") { $0.scoped(to: \.number).shown.map(\.state) },
        .init("part by closures") { $0.scoped(by: custom).settled },
        .init("element") { $0.scoped(by: row).scoped(to: \.?.number).settled.map { $0 ?? -1 } },
        .init("unwrapped") {
            ($0.scoped(by: sheet).unwrapped()?.settled ?? .constant(.init())).map(\.number)
        },
        .init("map") { $0.settled.map(\.number) },
        .init("filter") { $0.settled.map(\.number).filter { $0 >= 0 } },
        .init("scan") { $0.settled.scan(first: { $0.number }) { $1.number } },
        .init("removeDuplicates") { $0.settled.map(\.number).removeDuplicates() },
        .init("combined") { $0.settled.map(\.number).combined(with: .constant(1)).map { $0.0 } },
        .init("flatMap") { system in system.settled.flatMap { .constant($0.number) } },
        .init("flatMap of one source") {
            let inner = $0.settled.map(\.number)
            return Source.constant(1).flatMap { _ in inner }
        },
        .init("currentAndPrevious") { $0.settled.currentAndPrevious().map(\.current.number) },
        .init("receive") { $0.settled.map(\.number).receive(on: .immediate) },
        .init("printUpdates") { $0.settled.map(\.number).printUpdates { _ in } },
        .init("optional") { $0.settled.map(\.number).optional().map { $0 ?? -1 } },
    ]

    static let all: [SubscriptionKind] =
        sources + [
            .init("on a scheduler") { system, ear in
                system.scoped(to: \.number).settled.subscribe(on: .immediate) { ear.hear($0) }
            },
            .init("method of an object") { $0.scoped(to: \.number).settled.subscribe($1, Ear.hear) },
            .init("binding") { system, ear in system.addBinding { ear.hear($0.number) } },
            .init("loop callback") { system, ear in system.addLoopCallback { ear.hear($0.number) } },
            .init("loop callback, history") { system, ear in
                system.addLoopCallback { state, _ in ear.hear(state.number) }
            },
            .init("onLoop") { system, ear in system.onLoop { ear.hear($0.after.number) } },
            .init("willChange") { system, ear in system.observe(willChange: { ear.hear($1.number) }) },
            .init("didChange") { system, ear in system.observe(didChange: { ear.hear($1.number) }) },
        ]
}
