import PromisedSystem
import Testing

/// Two expressions of one part are one source.
@Suite struct PartIdentityTests {
    struct Whole: Sendable, Equatable {
        var part = Part()
        var rows = [Row(id: 7), Row(id: 8)]
        var named = ["seven": Row(id: 7)]
        var sheet: Part? = Part()
        var screen = Screen.part(Part())
    }

    struct Part: Sendable, Equatable {
        var count = 0
        var rows = [Row(id: 7)]
    }

    struct Row: Sendable, Equatable, Identifiable {
        let id: Int
        var count = 0
    }

    enum Screen: Sendable, Equatable { case part(Part), none }

    typealias Change = @Sendable (inout Whole) -> Void
    typealias Way<Local> = Scope<Whole, Change, Local, Never>

    private static func mute<Root: Sendable, Value: Sendable>() -> CasePath<Root, Value> {
        CasePath(embed: { _ in fatalError("Nothing is sent.") }, extract: { _ in nil })
    }

    static let screenPart = CasePath(embed: Screen.part) {
        if case .part(let part) = $0 { part } else { nil }
    }
    static let screen = Way<Screen>(state: \.screen, event: mute())
        .appending(Scope<Screen, Never, Part?, Never>(state: screenPart, event: .identity()))

    private let system = System<Whole, Change>(
        initialState: Whole(), scheduler: .immediate, reducer: Reducer { $1(&$0) })
    private let log = Log<String>()

    /// Each closure makes its part from scratch on every call.
    private var expressions: [(name: String, make: @Sendable () -> AnySource, change: Change)] {
        let system = system
        return [
            (
                "property", { AnySource(system.scoped(by: Way(state: \.part, event: Self.mute())).settled) },
                { $0.part.count += 1 }
            ),
            (
                "element",
                { AnySource(system.scoped(by: Way(id: 7, in: \.rows, event: Self.mute())).settled) },
                { $0.rows[0].count += 1 }
            ),
            (
                "place",
                { AnySource(system.scoped(by: Way(index: 0, in: \.rows, event: Self.mute())).settled) },
                { $0.rows[0].count += 1 }
            ),
            (
                "key",
                { AnySource(system.scoped(by: Way(key: "seven", in: \.named, event: Self.mute())).settled) },
                { $0.named["seven"]?.count += 1 }
            ),
            (
                "appended property",
                {
                    AnySource(
                        system.scoped(
                            by: Way<Part>(state: \.part, event: Self.mute())
                                .appending(Scope<Part, Never, Int, Never>(state: \.count, event: .identity()))
                        ).settled)
                }, { $0.part.count += 1 }
            ),
            (
                "appended element",
                {
                    AnySource(
                        system.scoped(by: Way<Part>(state: \.part, event: Self.mute())).scoped(
                            by: Scope<Part, Never, Row?, Never>(id: 7, in: \.rows, event: Self.mute())
                        ).settled)
                }, { $0.part.rows[0].count += 1 }
            ),
            (
                "part of an optional",
                {
                    AnySource(
                        system.scoped(by: Way<Part?>(state: \.sheet, event: Self.mute())).scoped(
                            by: Scope<Part, Never, Int, Never>(state: \.count, event: .identity()).optional
                        ).settled)
                }, { $0.sheet?.count += 1 }
            ),
            (
                "case that is made once", { AnySource(system.scoped(by: Self.screen).settled) },
                { $0.screen = .part(Part(count: 1)) }
            ),
            (
                "case path that is made once",
                {
                    AnySource(
                        system.scoped(by: Way<Screen>(state: \.screen, event: Self.mute())).scoped(
                            by: Scope<Screen, Never, Part?, Never>(
                                state: Self.screenPart, event: .identity())
                        ).settled)
                }, { $0.screen = .part(Part(count: 1)) }
            ),
        ]
    }

    @Test("SA-09: unsubscribe ends what an object has subscribed to through another expression of the part")
    func unsubscribe() {
        let screen = Object()
        for (name, make, change) in expressions {
            make().subscribe(screen) { [log] in log.add(name) }
            system.sendEvent(change)
            #expect(log.take() == [name, name])
            make().unsubscribe(screen)
            system.sendEvent(change)
            system.sendEvent { $0 = Whole() }
            #expect(log.take() == [], "\(name)")
        }
    }

    @Test("SA-09: unsubscribe ends nothing of another object or of another part")
    func unsubscribesNothingElse() {
        let (screen, other) = (Object(), Object())
        for (name, make, _) in expressions {
            make().subscribe(screen) { [log] in log.add("\(name), first") }
            make().subscribe(other) { [log] in log.add("\(name), other") }
        }
        _ = log.take()
        expressions[1].make().unsubscribe(screen)
        system.settled.unsubscribe(screen)
        system.sendEvent { $0.rows[0].count += 1 }
        #expect(log.take().sorted() == ["element, other", "place, first", "place, other"])
    }

    @Test("SA-61: two expressions of one part are one source, and of two parts they are two")
    func same() {
        for (index, (name, make, _)) in expressions.enumerated() {
            let places = expressions.indices.filter { expressions[$0].make() == make() }
            // One of them is a case of a property, written in two ways.
            #expect(places.contains(index), "\(name)")
            #expect(Set([make(), make(), make()]).count == 1, "\(name)")
        }
        #expect(Set(expressions.map { $0.make() }).count == expressions.count - 1)
        let another = System<Whole, Change>(
            initialState: Whole(), scheduler: .immediate, reducer: Reducer { $1(&$0) })
        let way = Way<Part>(state: \.part, event: Self.mute())
        #expect(another.scoped(by: way).settled != system.scoped(by: way).settled)
    }

    static let count = CasePath<Part, Int>(embed: { Part(count: $0) }, extract: { $0.count })
    static let other = CasePath<Part, Int>(embed: { _ in Part() }, extract: { $0.rows.count })

    @Test("SA-61: a case inside of a case is the same part when written step by step or composed")
    func casesInCases() {
        func source(_ path: CasePath<Part, Int>) -> Source<Int?> {
            system.scoped(by: Way<Screen>(state: \.screen, event: Self.mute())).scoped(
                by: Scope<Screen, Never, Int?, Never>(
                    state: Self.screenPart.appending(path), event: .identity())
            ).settled
        }
        #expect(source(Self.count) == source(Self.count))
        #expect(source(Self.count) != source(Self.other))
    }

    @Test("SA-61: an optional part of an optional part is one source, in one expression or two")
    func optionalInOptional() {
        func source() -> Source<Part?> {
            let sheet = Way<Part?>(state: \.sheet, event: Self.mute())
            let part = Scope<Part, Never, Part?, Never>(
                state: CasePath.identity(), event: CasePath<Never, Never>.identity())
            return system.scoped(by: sheet.appending(part)).settled
        }
        #expect(source() == source())
    }

    @Test("SA-61: a part that cannot be compared is one source, in any spelling, settled or shown")
    func notEquatable() {
        struct Opaque: Sendable { var count = 0 }
        struct Holder: Sendable { var opaque = Opaque(), other = Opaque() }
        let system = System<Holder, Int>(initialState: Holder(), scheduler: .immediate, reducer: .identity)
        typealias Expression = @Sendable (any KeyPath<Holder, Opaque> & Sendable) -> [AnySource]
        let expressions: [Expression] = [
            { [AnySource(system.scoped(to: $0).settled), AnySource(system.scoped(to: $0).shown)] },
            { path in
                let scoped = system.scoped(to: path, event: { (event: Int) in event })
                return [AnySource(scoped.settled), AnySource(scoped.shown)]
            },
            { path in
                let scoped = system.scoped().scoped(to: path)
                return [AnySource(scoped.settled), AnySource(scoped.shown)]
            },
        ]
        let first = expressions[0](\.opaque)
        for expression in expressions {
            #expect(expression(\.opaque) == first)
            #expect(zip(expression(\.other), first).allSatisfy { $0 != $1 })
        }
    }

    @Test("SA-61: a source in a set is found by another expression of it after its value has changed")
    func inSet() {
        let make = expressions[1].make
        let sources: Set = [make()]
        system.sendEvent(expressions[1].change)
        #expect(sources.contains(make()))
    }
}

private final class Object: Sendable {}

/// A source of any value, with the operations that these tests need.
private struct AnySource: Hashable, Sendable {
    private let key: AnySendableHashable
    private let subscribing: @Sendable (Object, @escaping @Sendable () -> Void) -> Void
    private let unsubscribing: @Sendable (Object) -> Void

    init<Value>(_ source: Source<Value>) {
        key = AnySendableHashable(source)
        subscribing = { object, body in
            source.subscribe(object, { _ in { _ in body() } })
        }
        unsubscribing = { source.unsubscribe($0) }
    }

    func subscribe(_ object: Object, _ body: @escaping @Sendable () -> Void) { subscribing(object, body) }
    func unsubscribe(_ object: Object) { unsubscribing(object) }

    static func == (left: AnySource, right: AnySource) -> Bool { left.key == right.key }
    func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

private struct AnySendableHashable: Hashable, Sendable {
    private let value: any Hashable & Sendable

    init(_ value: any Hashable & Sendable) { self.value = value }

    static func == (left: Self, right: Self) -> Bool { AnyHashable(left.value) == AnyHashable(right.value) }
    func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(value)) }
}
