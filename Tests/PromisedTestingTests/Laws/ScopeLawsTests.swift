import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// The laws of scopes hold for scopes, and each law finds a scope that breaks it.
@Suite struct ScopeLawsTests {
    struct Shop: Sendable, Equatable { var pieces = 0, sets = 0 }
    enum Event: Sendable, Equatable { case cart(Int), close }

    typealias Laws = ScopeLaws<Shop, Event, Int, Int>

    @Sendable private static func number(_ random: inout LawRandom) -> Int {
        .random(in: 0...9, using: &random)
    }
    @Sendable private static func shop(_ random: inout LawRandom) -> Shop { Shop(pieces: number(&random)) }
    @Sendable private static func event(_ random: inout LawRandom) -> Event {
        Bool.random(using: &random) ? .close : .cart(number(&random))
    }

    private static let scope = Scope(
        state: \Shop.pieces,
        event: CasePath(embed: Event.cart) { if case .cart(let number) = $0 { number } else { nil } })

    @Test("SR-44: scopes keep all laws: by key path, optional, of an element, and one that only sends")
    func scopes() {
        let laws = Laws(
            Self.scope, wholes: Self.shop, parts: Self.number, events: Self.event, partEvents: Self.number)
        #expect(laws.all.count == 7)
        #expect(broken(laws.all).isEmpty)
        let optional = ScopeLaws(
            Self.scope.optional, wholes: { Self.shop(&$0) }, parts: { Self.number(&$0) }, events: Self.event,
            partEvents: Self.number)
        #expect(broken(optional.all).isEmpty)
        let sending = ScopeLaws(
            Scope<Shop, Event, Shop, Int>.sending(Event.cart), wholes: Self.shop, parts: Self.shop,
            events: Self.event, partEvents: Self.number)
        #expect(broken(sending.all) == ["embed then extract"])
    }

    // MARK: Scopes that break them

    private static func laws(
        get: @escaping @Sendable (Shop) -> Int = { $0.pieces },
        set: @escaping @Sendable (inout Shop, Int) -> Void = { $0.pieces = $1 },
        extract: @escaping @Sendable (Event) -> Int? = scope.extract,
        embed: @escaping @Sendable (Int) -> Event? = scope.embed,
        lifted: @escaping @Sendable (Shop, Event, @escaping Laws.Step) -> Shop = { shop, event, step in
            guard case .cart(let number) = event else { return shop }
            return Shop(pieces: step(shop.pieces, number), sets: shop.sets)
        }
    ) -> Laws {
        Laws(
            wholes: shop, parts: number, events: event, partEvents: number, get: get, set: set,
            extract: extract,
            embed: embed, lifted: lifted)
    }

    /// A scope that breaks the law, by the law's name.
    private static let wrong: [String: Laws] = [
        "get then set": laws(get: { $0.pieces + 1 }), "set then get": laws(set: { _, _ in }),
        "set twice": laws(set: { shop, part in
            shop.pieces = part
            shop.sets += part
        }),
        "embed then extract": laws(embed: { .cart($0 + 1) }),
        "extract then embed": laws(extract: { if case .cart(let number) = $0 { number / 2 } else { nil } }),
        "foreign events": laws(lifted: { shop, _, step in Shop(pieces: step(shop.pieces, 0)) }),
        "own events": laws(lifted: { shop, _, _ in shop }),
    ]

    @Test("a correct scope breaks no law, and there is a broken one for each") func sound() {
        #expect(broken(Self.laws().all).isEmpty)
        #expect(Set(Self.wrong.keys) == Set(Self.laws().all.map(\.name)))
    }

    @Test("each law finds a scope that breaks it", arguments: wrong.keys.sorted())
    func finds(law: String) throws {
        #expect(broken(try #require(Self.wrong[law]).all).contains(law))
    }
}
