import PromisedSystem
import PromisedTesting
import Synchronization

@testable import ProductPage

/// A page in virtual time, and everything that it has shown.
final class PageStage: Sendable {
    let scheduler: TestScheduler
    let page: System<ProductPage.State, ProductPage.Event>
    private let log: Log

    private final class Log: Sendable {
        let states = Mutex<[ProductPage.State]>([])
        let times = Mutex<[Duration]>([])
    }

    init(_ effects: Effects) {
        let (scheduler, log) = (TestScheduler(), Log())
        (self.scheduler, self.log) = (scheduler, log)
        page = ProductPage.system(
            effects: effects, scheduler: scheduler,
            bindings: [
                { state in
                    log.states.withLock { $0.append(state) }
                    log.times.withLock { $0.append(scheduler.now) }
                }
            ])
        scheduler.run()
    }

    /// Sends the events all at once, without letting any of them run to its end.
    func send(_ events: ProductPage.Event...) {
        for event in events { page.sendEvent(event) }
    }

    /// Sends the events all at once, and lets time pass until nothing is left to do.
    func play(_ events: ProductPage.Event...) {
        for event in events { page.sendEvent(event) }
        scheduler.run()
    }

    /// What was shown, oldest first, in short.
    var shown: [String] { log.states.withLock { $0.map(\.sketch) } }
    /// The lines that the tool prints.
    var lines: [String] { log.states.withLock { $0.map { StateText.line($0) } } }
    /// The JSON lines that the tool prints.
    var json: [String] { log.states.withLock { $0.map { StateText.json($0) } } }
    /// When it was shown, in virtual time.
    var times: [Duration] { log.times.withLock { $0 } }
}

extension ProductPage.State {
    /// The kind of state, the product in view and the pieces in the cart: `loaded B 2`, `failed`.
    var sketch: String {
        let kind =
            switch self {
            case .start: "start"
            case .loading(_, .started): "loading"
            case .loading(_, .slow): "slow"
            case .loaded: "loaded"
            case .added: "added"
            case .removed: "removed"
            case .missing: "missing"
            case .failed: "failed"
            }
        return page.map { "\(kind) \($0.product.id) \($0.cart.map { "\($0.count)" } ?? "?")" } ?? kind
    }
}
