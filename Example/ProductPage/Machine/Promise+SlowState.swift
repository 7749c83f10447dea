import PromisedSystem

extension Promise<ProductPage.State> {
    /// Shows `.loading(page, .slow)` if this takes longer than `slowThreshold`.
    func stateWhenSlow(_ page: ProductPage.Page?) -> Promise {
        // It is the same work with an interim state before it; the race cancels the timer, or waits for the work.
        let late = Promise<Void>.value(()).delay(ProductPage.slowThreshold)
            .flatMap { self.stateWhenLoading(.loading(page, .slow)) }
        return .race(self, late)
    }
}
