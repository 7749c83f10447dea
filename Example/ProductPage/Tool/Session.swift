import PromisedSystem

/// A page in use: sends it events, and waits until all of them have been processed.
struct Session {
    let page: System<ProductPage.State, ProductPage.Event>
    private var pending = 0
    private let ends: AsyncStream<Void>

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        let (ends, end) = AsyncStream<Void>.makeStream()
        self.ends = ends
        // Every event that was sent ends with exactly one record.
        page.onLoop { _ in end.yield() }
        // The page says in its state what went wrong; what ends up here has escaped that.
        page.onError { error in console.report(PageError(error)) }
    }

    mutating func send(_ event: ProductPage.Event) {
        pending += 1
        page.sendEvent(event)
    }

    /// Returns when every event sent so far has been processed.
    mutating func rest() async {
        for await _ in ends.prefix(pending) {}
        pending = 0
    }
}
