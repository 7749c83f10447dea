import PromisedSystem
import Synchronization

@testable import ProductPage

/// Something that draws states.
protocol PageView: AnyObject, Sendable {
    func draw(_ state: ProductPage.State)
}

/// A view that only remembers what it was given.
final class FakeView: PageView {
    private let states = Mutex<[ProductPage.State]>([])

    var shown: [String] { states.withLock { $0.map(\.sketch) } }
    func draw(_ state: ProductPage.State) { states.withLock { $0.append(state) } }
    func forget() { states.withLock { $0 = [] } }
}

/// Stands between a view and the machine: forwards what the user does, and keeps no view alive.
final class Presenter: Sendable {
    let page: System<ProductPage.State, ProductPage.Event>

    init(view: some PageView, effects: Effects, scheduler: some SerialScheduler) {
        page = ProductPage.system(
            effects: effects, scheduler: scheduler, bindings: [{ [weak view] state in view?.draw(state) }])
    }

    func load() { page.sendEvent(.load) }
    func addToCart() { page.sendEvent(.add) }
}
