import Foundation
import PromisedSystem
import PromisedTesting
import Synchronization

@testable import ProductCommands
@testable import ProductPage
@testable import ProductReading
@testable import ToolSupport

/// A page in virtual time, and everything that it has shown and tracked.
final class PageFixture: Sendable {
    private final class Log: Sendable {
        let states = Mutex<[(state: ProductPage.State, time: Duration)]>([])
        let tracked = Mutex<[AnalyticsEvent]>([])
    }

    let scheduler = TestScheduler()
    let page: System<ProductPage.State, ProductPage.Event>
    private let log = Log()

    init(_ effects: Effects) {
        page = ProductPage.system(
            effects: effects, scheduler: scheduler,
            bindings: [
                { [log, scheduler] state in log.states.withLock { $0.append((state, scheduler.now)) } }
            ])
        page.onLoop { [log, scheduler] record in
            let time = Date(timeIntervalSince1970: scheduler.now / .seconds(1))
            if let event = AnalyticsEvent(record, at: time) { log.tracked.withLock { $0.append(event) } }
        }
        scheduler.run()
    }

    /// Sends the events all at once, and lets time pass until nothing is left to do.
    func play(_ events: ProductPage.Event...) {
        for event in events { page.sendEvent(event) }
        scheduler.run()
    }

    /// The same by words: those of scripts; `+C` and `-C` for a line of the cart; `2s` lets so much time pass, and `|`
    /// all that is needed.
    func play(_ script: String) {
        let lines: [Character: Cart.Line] = ["A": .oneA, "B": .oneB, "C": .oneC]
        for word in script.split(separator: " ") {
            if word == "|" {
                scheduler.run()
            } else if word.last == "s", let seconds = Int(word.dropLast()) {
                scheduler.advance(by: .seconds(seconds))
            } else if let event = Script.Word(rawValue: String(word)).flatMap({ Tool.events[$0] }) {
                page.sendEvent(event)
            } else if let line = word.last.flatMap({ lines[$0] }) {
                page.sendEvent(word.first == "+" ? .addLine(line) : .removeLine(line))
            }
        }
    }

    /// What was shown, oldest first, in short: with `@2` before what was shown two seconds after the start.
    var shown: [String] {
        let states = log.states.withLock { $0 }
        return zip(states, [.zero] + states.map(\.time)).map { now, before in
            (now.time == before ? "" : "@\(now.time.components.seconds) ") + now.state.sketch
        }
    }
    /// The lines that the tool prints.
    var lines: [String] { log.states.withLock { $0.map { StateText.line($0.state) } } }
    var tracked: [AnalyticsEvent] { log.tracked.withLock { $0 } }
}

extension ProductPage.State {
    /// The kind of state, the product in view and the pieces in the cart: `loaded B 2`, `failed`.
    var sketch: String {
        let kind = "\(self)".prefix { $0.isLetter }
        let name = if case .loading(_, .slow) = self { "slow" } else { "\(kind)" }
        return page.map { "\(name) \($0.product.id) \($0.cart.map { "\($0.count)" } ?? "?")" } ?? name
    }
}
