import Foundation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

private let escape = "\u{1B}"

/// The page on a terminal in virtual time.
@Suite struct PageScreenTests {
    /// Keys, the time that passes then (nil: all that is needed), and what is on the screen, or with `!` is not.
    typealias Step = (keys: String, milliseconds: Int?, screen: [String])

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let shop: @Sendable () -> FakeShop
        let steps: [Step]

        /// - Parameter seconds: How long each answer of the shop takes.
        init(
            _ description: String, seconds: Int = 0, failing: Set<Int> = [], cart: [Product] = [],
            products: [Product] = [.a, .b, .c], _ steps: () -> [Step]
        ) {
            (testDescription, self.steps) = (description, steps())
            shop = {
                let shop = FakeShop(cart: cart, latency: .seconds(seconds), failing: failing)
                shop.restock(products)
                return shop
            }
        }
    }

    static let cases: [Case] = [
        Case("it says when it takes long, and how to cancel; each load counts its own time", seconds: 30) {
            [
                ("r", 99, ["⠋ Loading… 0.0\u{A0}s", "Apple"]), ("", 1, ["⠙ Loading… 0.1\u{A0}s"]),
                ("", 4899, ["Loading… 4.9\u{A0}s"]),
                ("", 1, ["Still loading, 5.0\u{A0}s. Press Esc to cancel."]),
                ("", 5000, ["Still loading, 10.0\u{A0}s."]), (escape, 50, ["Apple", "!oading"]),
                ("r", 0, ["⠋ Loading… 0.0\u{A0}s"]),
            ]
        },
        Case("Esc goes back to the product; the rest of a key may come later, but not for ever") {
            [
                ("c", 0, ["It is empty"]), (escape, nil, ["1 of 3"]), (escape, 49, ["Apple"]),
                ("[", 49, ["Apple"]),
                ("C", nil, ["Bread"]), ("c\(escape)", 50, ["Bread"]), ("[", nil, ["Bread"]),
            ]
        },
        Case("a paste whose end is lost ends after a pause") {
            [
                ("\(escape)[200~q", 999, []), ("q", 999, []), ("\(escape)", 999, []), ("q", 999, []),
                ("", 1, ["Apple"]), ("n", nil, ["Bread"]),
            ]
        },
        Case("a letter with Alt is none") { [("?", 0, []), ("\(escape)q", nil, ["scroll to the end"])] },
        Case("keys that come while something is stored have their turn", seconds: 1) {
            [
                ("aaa", 500, ["Loading…", "Cart: empty"]), ("d", 500, ["Cart: 1 piece"]),
                ("np", nil, ["Cart: 2 pieces", "1 of 3"]), ("ra", 0, ["Loading…"]),
                ("", nil, ["Cart: 3 pieces"]),
            ]
        },
        Case("a key that needs a product, before there is one, says what to do", failing: [1]) {
            ["a", "d", "n", "p"].map { ($0, nil, ["Nothing is loaded yet. Press r to load, q to quit."]) }
        },
        Case("what cannot be done says so") {
            [
                ("d", nil, ["Nothing to take out: Apple is not in the cart."]),
                ("p", nil, ["3 of 3", "That was the first product; this is the last."]),
                ("n", nil, ["1 of 3", "That was the last product; this is the first."]),
                ("c", nil, ["!That was"]), ("cpa", nil, ["✓ Added to the cart, without a price."]),
            ]
        },
        Case("a failed refresh keeps what was shown, and the next one mends it", failing: [3]) {
            [
                ("a", nil, ["Cart: 1 piece, 1.00 EUR"]),
                ("r", nil, ["Error: shop: out of order", "Apple", "1.00 EUR"]),
                ("", nil, ["Press r to try again, q to quit."]),
                ("r", nil, ["!Error"]),
            ]
        },
        Case("lines of the cart are selected and changed, whatever is in view", cart: [.a, .b, .b, .c]) {
            [
                ("c", nil, ["!>"]), ("j", nil, ["> 1 × Apple"]), ("\(escape)[B", nil, ["> 2 × Bread"]),
                ("a", nil, ["> 3 × Bread", "✓ Added"]), ("jjj", nil, ["> 1 × Cheese"]),
                ("d", nil, ["> 3 × Bread", "!Cheese", "✓ Taken out"]), ("k", nil, ["> 1 × Apple"]),
                ("d", nil, ["> 3 × Bread", "!Apple"]), ("k", nil, ["> 3 × Bread"]), ("cc", nil, ["!>"]),
                ("a", nil, ["1 × Apple"]),
                ("j", nil, ["> 3 × Bread"]), ("cc", nil, ["!>"]), ("jddd", nil, ["> 1 × Apple", "!Bread"]),
                ("d", nil, ["It is empty."]), ("d", nil, ["Nothing to take out: Apple"]),
            ]
        },
        Case("what is typed at once is about the line that was selected", seconds: 1, cart: [.a, .b]) {
            [
                ("ncjdd", 0, ["> 1 × Apple"]), ("", 1000, ["> 1 × Bread"]),
                ("", nil, ["> 1 × Bread", "Nothing to take out: Apple"]),
            ]
        },
        Case("Esc cancels all that was asked for, and not one of five; what is stored stays", seconds: 1) {
            [
                ("aaaaa", 1500, ["Cart: 1 piece"]), (escape, nil, ["Cart: 2 pieces", "!oading"]),
                ("aa", 500, []), (escape + "[C", 0, ["Loading…"]),
                (escape, nil, ["Cart: 3 pieces", "1 of 3"]),
                ("a", nil, ["Cart: 4 pieces"]),
            ]
        },
        Case("the products are listed, selected, shown, and put into the cart") {
            [
                (
                    "l", nil,
                    ["Products", "> Apple: 1.00 EUR", "  Bread: 2.00 EUR", "  Cheese: ask", "Enter show"]
                ),
                ("jj", nil, ["> Cheese"]), ("\r", nil, ["3 of 3", "Cheese", "!That was", "!Products"]),
                ("l", nil, ["> Cheese"]), ("kka", nil, ["> Apple", "Cart: 1 piece", "✓ Added"]),
                ("dd", nil, ["Nothing to take out: Apple"]), ("l", nil, ["3 of 3", "!Products"]),
                ("\r", nil, ["3 of 3"]), ("l\(escape)", 50, ["3 of 3"]), ("ln", nil, ["1 of 3"]),
            ]
        },
        Case(
            "a product is found by a part of its name or id, in any case and without its accents",
            products: [.a, Product(id: "x-9", name: "Crème brûlée"), Product(id: "é", name: "鉄瓶 q")]
        ) {
            [
                ("/", nil, ["Find: ▏", "> Apple"]), ("BRU", nil, ["Find: BRU▏", "> Crème", "!Apple"]),
                ("\u{7F}\u{7F}\u{7F}", nil, ["Find: ▏", "> Apple"]), ("X-", nil, ["> Crème"]),
                ("z", nil, ["Find: X-z▏", "No product matches."]), ("\r", nil, ["Products"]),
                ("/", nil, ["Find: ▏"]), ("瓶 q", nil, ["Find: 瓶 q▏", "> 鉄瓶", "!Crème"]),
                ("\r", nil, ["3 of 3", "鉄瓶", "!Find"]),
                ("/a\(escape)[B\(escape)[3~", nil, ["Find: a▏", "Enter show  Esc cancel"]),
                (escape, 50, ["Products", "!Find"]), ("/\u{7F}", nil, ["Products"]),
                ("/\u{4}", 0, ["(the end)"]),
            ]
        },
        Case("q quits") { [("xyz19\t\r\u{7F}", nil, ["Apple"]), ("q", 0, ["(the end)"])] },
        Case("Q quits, whatever loads", seconds: 9) { [("rQ", 0, ["(the end)"])] },
        Case("Ctrl-D quits") { [("\u{4}", 0, ["(the end)"])] },
        Case("of two products the other is no end; the way round is said", products: [.a, .b]) {
            [("n", nil, ["2 of 2", "!That was"]), ("n", nil, ["1 of 2", "That was the last product"])]
        },
        Case(
            "a line is in the currency in which it was added, and so is the price that was", cart: [.a, .a],
            products: [Product(id: "A", name: "Apple", price: Price(value: .amount(3), currency: "USD"))]
        ) { [("c", nil, ["2.00 EUR; now 3.00 USD (was 1.00 EUR) each"])] },
        Case(
            "what speaks against ordering is said of what was added, not of what is in view", cart: [.a],
            products: [Product(id: "B", name: "Bread", availability: .soldOut)]
        ) {
            [
                ("cja", nil, ["✓ Added to the cart."]),
                ("cca", nil, ["✓ Added to the cart, but it is sold out."]),
            ]
        },
        Case(
            "a page that is longer than the screen is scrolled, by lines, screens, and to its ends",
            // Of 65 lines, 19 are on the screen, and below them is said how many are left.
            products: ["Long", "Next"].map { name in
                let lines = (1...60).map { "line \($0)." }
                return Product(id: name, name: name, description: lines.joined(separator: "\n"))
            }
        ) {
            [
                ("", "↓ 46 more lines"), ("\(escape)[B", "↑↓ 45 more"), ("j", "↑↓ 44 more"),
                ("k", "↑↓ 45 more"),
                ("\(escape)[F", "line 60."), ("k", "↑↓ 1 more line"), ("\(escape)[H", "↓ 46 more"),
                (" ", "↑↓ 28 more"), ("b", "↓ 46 more"), ("\(escape)[6~", "↑↓ 28 more"),
                ("\(escape)[5~", "↓ 46 more"), ("\(escape)[4~", "↑ the end"), ("n", "↓ 46 more"),
            ].map { ($0.0, nil, [$0.1]) }
        },
    ]

    @Test(arguments: cases) func play(_ test: Case) {
        let fixture = ScreenFixture(test.shop().effects)
        fixture.load()
        for (index, step) in test.steps.enumerated() {
            fixture.play(step.keys, step.milliseconds.map { .milliseconds($0) })
            for text in step.screen {
                let isWanted = !text.hasPrefix("!")
                let isThere = fixture.text.contains(isWanted ? text : String(text.dropFirst()))
                #expect(isThere == isWanted, "\(text) in step \(index):\n\(fixture.text)")
            }
        }
        fixture.scheduler.run()
        _ = fixture.written()
        // While nothing loads no timer waits.
        #expect(fixture.scheduler.pendingCount == 0)
        fixture.scheduler.advance(by: .seconds(3600))
        #expect(fixture.written() == "")
    }

    @Test("a turn of the spinner writes its line and nothing else")
    func economy() {
        let fixture = ScreenFixture(FakeShop(latency: .seconds(2)).effects)
        fixture.load(.zero)
        _ = fixture.written()
        fixture.play("", .milliseconds(100))
        #expect(fixture.written() == "\u{1B}[?2026h\u{1B}[23;1H⠙ Loading… 0.1\u{A0}s\u{1B}[K\u{1B}[?2026l")
    }

    @Test("Ctrl-L draws all of it again, over whatever is there")
    func redraw() {
        let fixture = ScreenFixture(FakeShop().effects)
        fixture.load()
        _ = fixture.written()
        fixture.terminal.resize(to: ScreenSize(columns: 80, rows: 24))
        let whole = fixture.written()
        fixture.play("\u{C}")
        #expect(whole.contains("Apple") && fixture.written() == whole)
    }

    @Test("a key that is held down asks for one refresh, and says so")
    func heldKey() {
        let shop = FakeShop(latency: .seconds(1))
        let fixture = ScreenFixture(shop.effects)
        fixture.load()
        fixture.play("rrrrr", .zero)
        #expect(fixture.text.contains("It is loading already.") && fixture.text.contains("Loading…"))
        fixture.scheduler.run()
        #expect(shop.requests.filter { $0 == "catalogue" }.count == 2)
    }

    @Test("hidden it writes nothing; shown again it draws everything, and no paste goes on")
    func hiding() {
        let fixture = ScreenFixture(FakeShop(latency: .seconds(10)).effects)
        fixture.load(.zero)
        fixture.play("\u{1B}[200~", .zero)
        fixture.terminal.hide()
        _ = fixture.written()
        fixture.play("", .milliseconds(900))
        #expect(fixture.written() == "")
        fixture.terminal.reveal(ScreenSize(columns: 80, rows: 24))
        fixture.play("?", .milliseconds(100))
        #expect(fixture.text.contains("Loading… 1.0\u{A0}s") && fixture.text.contains("scroll to the end"))
    }

    @Test("every size has a frame of that size, from one cell on, in every state and panel")
    func sizes() {
        for columns in isStress ? [1, 2, 3, 11, 12, 19, 20, 39, 40, 41, 80] : [1, 20] {
            for rows in isStress ? Array(1...12) : [1, 12] {
                for (state, panel) in TransitionCase.states.flatMap({ state in
                    TerminalView.Panel.allCases.map { (state, $0) }
                }) {
                    var view = TerminalView(
                        state: state, size: ScreenSize(columns: columns, rows: rows), panel: panel)
                    #expect(view.frame[0].width > 0)
                    for command in [KeyCommand.down, .pageDown, .bottom, .up, .pageUp] {
                        _ = view.perform(command)
                        #expect(view.frame.count == rows)
                        #expect(view.frame.allSatisfy { $0.width <= columns })
                    }
                }
            }
        }
    }

    @Test("the selected line of a long cart is on the screen", arguments: [(20, 6), (40, 12), (80, 24)])
    func longCart(columns: Int, rows: Int) throws {
        var cart = Cart()
        let count = isStress ? 50 : 30
        for number in 10...(10 + count) {
            _ = try cart.apply(.add(.init(Product(id: "\(number)", name: "Line \(number)"), from: "shop")))
        }
        let page = ProductPage.Page(
            catalogue: Catalogue(source: "shop", products: [.a]), index: 0, cart: cart)
        var view = TerminalView(
            state: .loaded(page), size: ScreenSize(columns: columns, rows: rows), panel: .cart)
        for command in [KeyCommand.down, .up] {
            for step in 0..<count {
                _ = view.perform(command)
                let number = command == .down ? 10 + step : 9 + count - step
                #expect(view.frame.contains { $0.text == "> 1 × Line \(number)" }, "\(number)")
            }
            _ = view.perform(command)
            if command == .down { #expect(view.frame.contains { $0.text.hasPrefix("Total:") } || rows < 10) }
        }
    }
}
