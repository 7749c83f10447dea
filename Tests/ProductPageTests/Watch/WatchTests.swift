import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization
import Testing

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading

/// A price that is watched, in virtual time.
@Suite struct WatchTests {
    /// What is shown at each look, the last one for ever; and when it was looked at.
    private final class Script: CatalogueSource {
        let looks = Mutex<[Duration]>([])
        private let scheduler: TestScheduler
        private let results: [Result<Product, PageError>]

        init(_ scheduler: TestScheduler, _ results: [Result<Product, PageError>]) {
            (self.scheduler, self.results) = (scheduler, results)
        }

        func catalogue() -> Promise<Catalogue> {
            Promise { [self] resolver in
                let number = looks.withLock {
                    $0.append(scheduler.now); return $0.count
                }
                let product = try results[min(number, results.count) - 1].get()
                resolver.fulfill(Catalogue(source: "shop", products: [.b, product]))
            }
        }
    }

    /// A page of which each look reads what counts on the day.
    private struct DatedSource: CatalogueSource {
        let text: String
        let today: @Sendable () -> Day

        func catalogue() -> Promise<Catalogue> {
            Promise.value(text).map { try ProductReader.read(Array($0.utf8), from: "shop", today: today()) }
        }
    }

    private static let offline = PageError.unavailable(source: "shop", reason: "offline")

    private static func lamp(_ price: Price.Value?, _ availability: Availability? = nil) -> Product {
        Product(
            id: "L", name: "Lamp", price: price.map { Price(value: $0, currency: "EUR") },
            availability: availability)
    }

    /// When it was looked at, what was printed and said, and whether it is over after a day.
    private func watch(
        _ results: [Result<Product, PageError>], below: Decimal? = 100, every: Duration = .seconds(600),
        for time: Duration = .seconds(86_400)
    ) -> (looks: [Int64], lines: [String], isOver: Bool, error: PageError?) {
        let scheduler = TestScheduler()
        let script = Script(scheduler, results)
        let watch = Watch(source: script, query: "lamp", below: below, every: every)
        let system = watch.system(on: scheduler)
        let lines = Mutex<[String]>([])
        system.onLoop { record in
            let time = Date(timeIntervalSince1970: Double(scheduler.now.components.seconds))
            let line = watch.changeLine(record.before, record.after, at: time, asJSON: false)
            for line in [line, watch.messageLine(record.before, record.after)].compactMap({ $0 }) {
                lines.withLock { $0.append(line.replacing("1970-01-01T", with: "")) }
            }
        }
        system.sendEvent(.look)
        scheduler.advance(by: time)
        let state = system.state
        #expect((scheduler.pendingCount == 0) == watch.isOver(state))
        return (
            script.looks.withLock { $0.map(\.components.seconds) }, lines.withLock { $0 },
            watch.isOver(state),
            state.error
        )
    }

    @Test("it looks at once and then every ten minutes, and says what has changed until it is low enough")
    func falling() {
        let seen = watch([120, 120, 110, 110, 99].map { .success(Self.lamp(.amount($0), .inStock)) })
        #expect(seen.looks == [0, 600, 1200, 1800, 2400])
        #expect(
            seen.lines == [
                "00:00:00Z  Lamp: 120.00 EUR, in stock", "00:20:00Z  Lamp: 110.00 EUR, in stock",
                "00:40:00Z  Lamp: 99.00 EUR, in stock",
            ])
        #expect(seen.isOver)
    }

    @Test(
        "what is low enough: less than the price, of something that can be ordered",
        arguments: [
            (lamp(.amount(100)), false), (lamp(.amount(Decimal(string: "99.99")!)), true),
            (lamp(.amount(99), .soldOut), false), (lamp(.amount(99), .backOrder), true),
            (lamp(.range(90, 120)), true), (lamp(.range(100, 120)), false), (lamp(.from(99)), true),
            (lamp(.upTo(99)), true), (lamp(.text("9.90 for 100 g")), false), (lamp(nil), false),
            (lamp(.range(0, 120), .inStock), false), (lamp(.range(0, 99)), true),
        ])
    func lowEnough(product: Product, isOver: Bool) {
        let seen = watch([.success(product)], every: .seconds(3600))
        #expect(seen.isOver == isOver)
        #expect(seen.looks.count == (isOver ? 1 : 25))
        let isUnclear = product.price.map { if case .text = $0.value { true } else { false } } ?? false
        let talk = isUnclear ? ["Lamp: this price cannot be compared with --below"] : []
        #expect(seen.lines.dropFirst() == talk[...])
    }

    @Test("a price in another currency is said, and is not compared")
    func otherCurrency() {
        var abroad = Self.lamp(.amount(95))
        abroad.price?.currency = "USD"
        let seen = watch([.success(Self.lamp(.amount(120))), .success(abroad)])
        #expect(!seen.isOver)
        #expect(
            seen.lines.dropFirst() == [
                "00:10:00Z  Lamp: 95.00 USD", "Lamp: this price cannot be compared with --below",
            ])
    }

    @Test("without --below it goes on, and a change of the availability is said")
    func endless() {
        let seen = watch(
            [.success(Self.lamp(.amount(5), .soldOut)), .success(Self.lamp(.amount(5), .inStock))],
            below: nil,
            every: .seconds(21_600))
        #expect(seen.looks == [0, 21_600, 43_200, 64_800, 86_400])
        #expect(seen.lines == ["00:00:00Z  Lamp: 5.00 EUR, sold out", "06:00:00Z  Lamp: 5.00 EUR, in stock"])
        #expect(!seen.isOver)
    }

    @Test("a failure is said with the pause after it, which grows to an hour; and so is its end")
    func failures() {
        let good = Result<Product, PageError>.success(Self.lamp(.amount(120)))
        let failures = Array(repeating: Result<Product, PageError>.failure(Self.offline), count: 5)
        let seen = watch(failures + [good, good, .failure(Self.offline), good], for: .seconds(12_600))
        #expect(seen.looks == [0, 600, 1800, 4200, 7800, 11_400, 12_000, 12_600])
        let talk = [600, 1200, 2400, 3600].map { "shop: offline; looking again in \($0) s" }
        #expect(seen.lines == talk + ["03:10:00Z  Lamp: 120.00 EUR", "Lamp: seen again", talk[0]])
        #expect(!seen.isOver)
    }

    @Test(
        "a server that says when to come again is not asked before", arguments: [(60, 600), (7_200, 7_200)])
    func retryAfter(said: Int, pause: Int64) {
        let busy = PageError.unavailable(source: "shop", reason: "busy", retryAfter: .seconds(said))
        let seen = watch([.failure(busy), .success(Self.lamp(.amount(90)))])
        #expect(seen.looks == [0, pause] && seen.isOver)
        #expect(seen.lines.first == "shop: busy; looking again in \(pause) s")
    }

    @Test(
        "nothing is no price below the one that is waited for, unless the product is said to be there",
        arguments: [(nil, false), (.soldOut, false), (.inStock, true)] as [(Availability?, Bool)])
    func placeholder(availability: Availability?, isOver: Bool) {
        let seen = watch([.success(Self.lamp(.amount(120))), .success(Self.lamp(.amount(0), availability))])
        #expect(seen.isOver == isOver)
        let talk = isOver ? [] : ["Lamp: this price cannot be compared with --below"]
        #expect(seen.lines.dropFirst(2) == talk[...])
    }

    @Test("the second of two currencies is the one that is watched, if it was there first")
    func secondCurrency() {
        var both = Self.lamp(.amount(110))
        both.price?.currency = "USD"
        both.price?.others = [Price(value: .amount(95), currency: "EUR")]
        let seen = watch([.success(Self.lamp(.amount(120))), .success(both)])
        #expect(seen.isOver)
        #expect(seen.lines.last == "00:10:00Z  Lamp: 110.00 USD or 95.00 EUR")
    }

    @Test("the date decides which price counts: a sale fires on its first day, and one that is over does not")
    func dates() async throws {
        let offer =
            #"{"price":80,"priceCurrency":"EUR","validFrom":"2026-05-11","validThrough":"2026-05-12"}"#
        let text =
            #"{"@type":"Product","sku":"L","name":"Lamp","offers":[\#(offer),{"price":120,"priceCurrency":"EUR"}]}"#
        for (first, looks) in [(10, [0, 86_400]), (13, [0, 86_400, 172_800])] {
            let scheduler = TestScheduler()
            let source = DatedSource(text: text) {
                Day(year: 2026, month: 5, day: first + Int(scheduler.now.components.seconds) / 86_400)
            }
            let watch = Watch(source: source, query: nil, below: 100, every: .seconds(86_400))
            let system = watch.system(on: scheduler)
            let seen = Mutex<[Int64]>([])
            system.onLoop { _ in seen.withLock { $0.append(scheduler.now.components.seconds) } }
            system.sendEvent(.look)
            scheduler.advance(by: .seconds(172_800))
            #expect(seen.withLock { $0 } == looks.map(Int64.init))
            #expect(watch.isOver(system.state) == (first == 10))
        }
    }

    @Test("however long the pause is, a failure makes it no shorter")
    func rarely() {
        let seen = watch([.failure(Self.offline)], every: .seconds(21_600))
        #expect(seen.looks == [0, 21_600, 43_200, 64_800, 86_400])
        let often = watch([.failure(Self.offline)], every: .milliseconds(1_500), for: .seconds(3))
        #expect(often.lines == ["1.5", "3"].map { "shop: offline; looking again in \($0) s" })
    }

    @Test("no such product or file is an error at first, and survived once it was there")
    func mistakes() {
        let gone = PageError.noInput(source: "shop", reason: "no such file")
        let never = watch([.failure(gone)])
        #expect(never.looks == [0] && never.isOver && never.error == gone && never.lines == [])
        let other = watch([.success(.a)])
        #expect(
            other.error
                == .noInput(
                    source: "shop", reason: "no product matches “lamp”; there is Bread (B), Apple (A)"))
        let several = PageError.usage("shop: 2 products match “lamp”: Lamp (L), Lamp (M)")
        #expect(watch([.failure(several)]).error == several)
        #expect(watch([.failure(several)]).looks == [0])
        let later = watch(
            [.success(Self.lamp(.amount(120))), .failure(gone), .success(Self.lamp(.amount(90)))])
        #expect(later.looks == [0, 600, 1200] && later.isOver && later.error == nil)
    }

    @Test("as JSON a change is an object with its time")
    func json() {
        let watch = Watch(source: FakeShop(), query: nil, below: nil, every: .seconds(1))
        #expect(
            watch.changeLine(
                Watch.State(), Watch.State(product: .a), at: Date(timeIntervalSince1970: 0), asJSON: true)
                == #"{"product":{"id":"A","name":"Apple","price":{"currency":"EUR","high":1,"low":1,"text":"1.00 EUR"}},"#
                + #""time":"1970-01-01T00:00:00Z"}"#)
    }
}
