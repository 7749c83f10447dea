import PromisedSystem

/// A page in use: sends it events, and waits until all of them have been processed.
struct Session {
    let page: System<ProductPage.State, ProductPage.Event>

    init(_ page: System<ProductPage.State, ProductPage.Event>, console: Console) {
        self.page = page
        // The page says in its state what went wrong; what ends up here has escaped that.
        page.onError { error in console.report(PageError(error)) }
    }

    func send(_ event: ProductPage.Event) { page.sendEvent(event) }

    /// Returns when every event sent so far has been processed.
    func rest() async { try? await page.whenIdle().value }
}
