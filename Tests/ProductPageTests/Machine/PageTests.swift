import Dispatch
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage
@testable import ProductReading

/// What a page shows and tracks while events are sent to it, in virtual time.
@Suite struct PageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How long each answer of the shop takes, in seconds, and which of them are failures.
        var latency = 0
        var failing: Set<Int> = []
        var cart: [Product] = []
        let script, shown, tracked: String
    }

    static let cases = [
        Case(
            testDescription: "PK-31: nothing of the queue is shown before its turn", latency: 1,
            script: "load add add add next remove |",
            shown: "start, loading, @1 loaded A 0, loading A 0, @2 added A 1, loading A 1, @3 added A 2, "
                + "loading A 2, @4 added A 3, loaded B 3, loading B 3, @5 missing B 3",
            tracked: "product_loaded A, added_to_cart A, added_to_cart A, added_to_cart A, product_shown B"),
        Case(
            testDescription:
                "PK-30: every action is tracked under its own name, once, and only if it has happened; "
                + "a line of the cart is changed whatever is in view", cart: [.c],
            script: "load | refresh next previous add remove remove +C -C -B | cancel |",
            shown:
                "start, loading, loaded A 1, loading A 1, loaded A 1, loaded B 1, loaded A 1, loading A 1, "
                + "added A 2, loading A 2, removed A 1, loading A 1, missing A 1, loading A 1, added A 2, "
                + "loading A 2, removed A 1, loading A 1, missing A 1, loaded A 1, loaded A 1",
            tracked:
                "product_loaded A, product_refreshed A, product_shown B, product_shown A, added_to_cart A, "
                + "removed_from_cart A, added_to_cart C, removed_from_cart C"),
        Case(
            testDescription: "cancelling the first load ends it and its work at once", latency: 600,
            script: "load 6s cancel 0s", shown: "start, loading, @5 slow, @6 start, start",
            tracked: "load_cancelled"),
        Case(
            testDescription:
                "PK-30: cancelling a load or a change goes back to the page, at once, and to the cart that "
                + "is stored; what was added is neither shown nor tracked again", latency: 1,
            // This shop changes the cart when it is asked, and answers later.
            script: "load add | load 0s cancel | refresh 0s cancel | add 0s cancel | remove 0s cancel |",
            shown:
                "start, loading, @1 loaded A 0, loading A 0, @2 added A 1, loading A 1, loaded A 1, loaded A 1, "
                + "loading A 1, loaded A 1, loaded A 1, loading A 1, loaded A 1, loaded A 2, loading A 2, "
                + "loaded A 2, loaded A 1",
            tracked: "product_loaded A, added_to_cart A, load_cancelled A, load_cancelled A"),
        Case(
            testDescription: "events that are queued are processed after a cancelled one, and a load works",
            latency: 1,
            script: "load load next 0s cancel |",
            shown: "start, loading, start, start, loading, @1 loaded A 0, loaded B 0",
            tracked: "load_cancelled, product_loaded A, product_shown B"),
        Case(
            testDescription: "with nothing in flight, cancel puts an error away", failing: [2],
            script: "cancel | load refresh | cancel |",
            shown: "start, start, loading, loaded A 0, loading A 0, failed A 0, loaded A 0, loaded A 0",
            tracked: "product_loaded A, page_error A"),
    ]

    @Test(arguments: cases) func play(_ test: Case) {
        let shop = FakeShop(cart: test.cart, latency: .seconds(test.latency), failing: test.failing)
        let fixture = PageFixture(shop.effects)
        fixture.play(test.script)
        #expect(fixture.shown.joined(separator: ", ") == test.shown)
        let tracked = fixture.tracked.map {
            [$0.event.rawValue, $0.product].compactMap { $0 }.joined(separator: " ")
        }
        #expect(tracked.joined(separator: ", ") == test.tracked)
        #expect(fixture.scheduler.pendingCount == 0)
    }

    @Test("PK-30: one callback tracks the script load, error, load, with the time")
    func analytics() {
        let fixture = PageFixture(FakeShop(latency: .seconds(1), failing: [1]).effects)
        fixture.play(.load, .add, .load)
        #expect(
            fixture.tracked.map(\.jsonLine) == [
                #"{"error":"shop: out of order","event":"page_error","time":"1970-01-01T00:00:01Z"}"#,
                #"{"error":"no product is loaded yet; send load first","event":"page_error","#
                    + #""time":"1970-01-01T00:00:01Z"}"#,
                #"{"event":"product_loaded","product":"A","time":"1970-01-01T00:00:02Z"}"#,
            ])
    }

    @Test(
        "PK-31: events sent all at once are shown one after the other: start, loading, loaded, loading, error"
    )
    func seededFailure() {
        // With this seed the shop answers the first question and not the second.
        let shop = Shop(latency: .seconds(1), failRate: 0.5, seed: 2)
        let storage = ShopCart(shop: shop, storage: FakeShop())
        let fixture = PageFixture(Effects(source: shop, storage: storage, product: "mug"))
        fixture.play(.load, .add)
        #expect(
            fixture.lines == [
                "start", "loading", "loaded: Camper's mug, 11.50 GBP, cart 0", "loading",
                "error: bundled catalogue: the shop does not answer; try again",
            ])
        #expect(
            fixture.shown == [
                "start", "loading", "@1 loaded MUG-2 0", "loading MUG-2 0", "@2 failed MUG-2 0",
            ])
    }

    @Test("a session is at rest when every event that was sent has ended, and at once when none was")
    func rest() async {
        let fixture = PageFixture(FakeShop(latency: .seconds(1), failing: [2]).effects)
        let session = Session(fixture.page, console: LineLog().console(isInteractive: false))
        await session.rest()
        session.send(.load)
        session.send(.add)
        DispatchQueue.global().async { fixture.scheduler.run() }
        await session.rest()
        #expect(fixture.shown.last == "@2 failed A 0")
    }

    @Test("a cart that cannot be read hides no product, and is not said to be what it was")
    func unreadableCart() {
        let shop = FakeShop(cart: [.a])
        let fixture = PageFixture(shop.effects)
        fixture.play(.load)
        shop.makeCartUnreadable()
        fixture.play(.cancel)
        #expect(fixture.shown.suffix(2) == ["loaded A 1", "loaded A ?"])
        shop.restock([.c])
        for event in [ProductPage.Event.refresh, .cancel, .add] { fixture.play(event) }
        #expect(
            fixture.shown.suffix(5) == ["failed C ?", "loaded C ?", "loaded C ?", "loading C ?", "added C 2"])
        #expect(fixture.lines.contains("error: cart cart.json: permission denied"))
    }

    @Test("the product in view stays in view if it is still there, and --product chooses the first one")
    func productInView() {
        let shop = FakeShop()
        var effects = shop.effects
        effects.product = "bread"
        let fixture = PageFixture(effects)
        let stocks: [([Product], String)] = [
            ([.a, .b, .c], "load next |"), ([.c, .a], "refresh previous |"), ([.b, .c], "refresh |"),
            ([.c], "next refresh |"), ([.a], "refresh |"),
        ]
        for (products, script) in stocks {
            shop.restock(products)
            fixture.play(script)
        }
        #expect(
            fixture.shown.filter { $0.hasPrefix("loaded") }.joined()
                == "loaded B 0loaded C 0loaded C 0loaded A 0loaded B 0loaded C 0loaded C 0")
        #expect(fixture.lines.last == "error: shop: no product matches “bread”; there is Apple (A)")
    }
}
