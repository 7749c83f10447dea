import PromisedSystem
import Synchronization

/// A page in use: sends it events, and knows when all of them have been processed.
final class Session: Sendable {
    let page: System<ProductPage.State, ProductPage.Event>
    private let progress = Mutex<(pending: Int, waiting: [Resolver<Void>])>((0, []))

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        // Every event that was sent ends with exactly one record.
        page.onLoop { [weak self] _ in self?.notify(after: -1) }
        // The page says in its state what went wrong; what ends up here has escaped that.
        page.onError { error in console.report(PageError(error)) }
    }

    func send(_ event: ProductPage.Event) {
        notify(after: 1)
        page.sendEvent(event)
    }

    /// Fulfilled when every event sent so far has been processed.
    func rest() -> Promise<Void> {
        Promise { [self] resolver in
            progress.withLock { $0.waiting.append(resolver) }
            notify(after: 0)
        }
    }

    /// Counts, and notifies those that wait for rest if there is.
    private func notify(after change: Int) {
        let waiting = progress.withLock { progress -> [Resolver<Void>] in
            progress.pending += change
            guard progress.pending == 0 else { return [] }
            defer { progress.waiting = [] }
            return progress.waiting
        }
        for resolver in waiting { resolver.fulfill(()) }
    }
}
