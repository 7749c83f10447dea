import PromisedSystem
import Synchronization

/// A page in use: sends it events, and knows when all of them have been processed.
final class Session: Sendable {
    private struct Progress {
        var pending = 0
        var waiting: [Resolver<Void>] = []
    }

    let page: System<ProductPage.State, ProductPage.Event>
    private let progress = Mutex(Progress())

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        // Every event that was sent ends with exactly one record.
        page.onLoop { [weak self] _ in self?.eventEnded() }
        // The page says in its state what went wrong; what ends up here has escaped that.
        page.onError { error in console.talk("product-page: \(PageError(error))") }
    }

    func send(_ event: ProductPage.Event) {
        progress.withLock { $0.pending += 1 }
        page.sendEvent(event)
    }

    /// Fulfilled when every event sent so far has been processed.
    func rest() -> Promise<Void> {
        Promise { [self] resolver in
            let isResting = progress.withLock { progress in
                if progress.pending > 0 { progress.waiting.append(resolver) }
                return progress.pending == 0
            }
            if isResting { resolver.fulfill(()) }
        }
    }

    private func eventEnded() {
        let waiting = progress.withLock { progress -> [Resolver<Void>] in
            progress.pending -= 1
            guard progress.pending == 0 else { return [] }
            defer { progress.waiting = [] }
            return progress.waiting
        }
        for resolver in waiting { resolver.fulfill(()) }
    }
}
