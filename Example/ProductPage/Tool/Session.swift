import PromisedSystem
import Synchronization

/// A page in use: sends it events, and knows when it is at rest.
final class Session: Sendable {
    private struct Progress {
        var running = 0
        var resting: [Resolver<Void>] = []
    }

    let page: System<ProductPage.State, ProductPage.Event>
    private let progress = Mutex(Progress())

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        // Every event that was sent ends with exactly one record. What a feedback sends was not sent here.
        page.onLoop { [weak self] record in
            if case .stored = record.event { return }
            self?.eventEnded()
        }
        // The page says what went wrong in its state; what ends up here has escaped that.
        page.onError { error in console.talk("product-page: \(PageError(error))") }
    }

    func send(_ event: ProductPage.Event) {
        progress.withLock { $0.running += 1 }
        page.sendEvent(event)
    }

    /// Fulfilled when every event sent so far has been dealt with.
    func rest() -> Promise<Void> {
        Promise { [self] resolver in
            let isResting = progress.withLock { progress in
                if progress.running > 0 { progress.resting.append(resolver) }
                return progress.running == 0
            }
            if isResting { resolver.fulfill(()) }
        }
    }

    private func eventEnded() {
        let resting = progress.withLock { progress -> [Resolver<Void>] in
            progress.running -= 1
            guard progress.running == 0 else { return [] }
            defer { progress.resting = [] }
            return progress.resting
        }
        for resolver in resting { resolver.fulfill(()) }
    }
}
