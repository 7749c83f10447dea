import PromisedSystem
import PromisedTesting

@testable import ProductPage

/// The product page in a world whose catalogue, disk and clock an explorer decides on.
struct ExploredPage: Sendable {
    typealias State = ProductPage.State
    typealias Event = ProductPage.Event

    static let events: [Event] = [.load, .add, .remove, .refresh, .next, .previous, .cancel]
    static let catalogue = Catalogue(source: "shop", products: [.a, .b])
    static let offline = PageError.unavailable(source: "shop", reason: "offline")
    static let full = PageError.cart(path: "cart.json", reason: "no space left")

    let world: World<State>
    /// What is stored, and how many pieces that should be after the changes that have reached it.
    let disk: WorldVariable<Cart>
    let pieces: WorldVariable<Int>
    /// Whether the cart could not be read the last time: then nobody can know.
    let isUnreadable: WorldVariable<Bool>

    /// - Parameter make: Puts the machine together; a test that plants a fault puts it together in another way.
    static func explorer(
        events: [Event] = events,
        make: @escaping @Sendable (ExploredPage) -> System<State, Event> = {
            ProductPage.system(effects: $0.effects, scheduler: $0.world.scheduler)
        }
    ) -> Explorer<State, Event> {
        Explorer(events: events) { world in
            let page = ExploredPage(
                world: world, disk: world.variable(Cart()), pieces: world.variable(0),
                isUnreadable: world.variable(false))
            page.expect()
            return make(page)
        }
    }

    /// The page with a part of it put differently: where the reducer given here says nothing, its own does.
    func system(
        feedbacks: [Feedback<State, Event>]? = nil,
        _ reduce: @escaping @Sendable (State, Event) -> Promise<State>? = { _, _ in nil }
    ) -> System<State, Event> {
        System(
            initialState: .start, scheduler: world.scheduler,
            feedbacks: feedbacks ?? [ProductPage.storedCart(effects)], middleware: ProductPage.onlyNews,
            eventPolicy: { $0 == .cancel ? .replace : .queue }
        ) { state, event in
            reduce(state, event) ?? ProductPage.reduce(state: state, event: event, effects: effects)
        }
    }

    // MARK: What may happen

    /// To store a change takes two steps: it may be on the disk, and the word of that not be there.
    var effects: Effects {
        Effects(
            catalogue: {
                world.call("catalogue", .value("comes"), .result("fails") { throw Self.offline })
                    .map { _ in Self.catalogue }
            },
            remembered: { .value(nil) }, choose: { _ in 0 },
            cart: { Promise.value(()).flatMap { read() } }, changeCart: { change in write(change) })
    }

    /// What was there when it was asked.
    private func read() -> Promise<Cart> {
        let cart = disk.value
        return world.call(
            "cart",
            .result("comes") {
                isUnreadable.value = false
                return cart
            },
            .result("fails") {
                isUnreadable.value = true
                throw Self.full
            })
    }

    private func write(
        _ change: @escaping @Sendable (inout Cart) throws(PageError) -> Void
    ) -> Promise<Cart> {
        world.call(
            "write",
            .result("done") {
                var one = Cart()
                try change(&one)
                pieces.value = max(disk.value.count + (one.count > 0 ? 1 : -1), 0)
                try disk.change { cart throws(PageError) in try change(&cart) }
            }, .result("fails") { throw Self.full }
        )
        .flatMap {
            world.call("confirm", .result("comes") { disk.value }, .result("fails") { throw Self.full })
        }
    }

    // MARK: What must hold

    private func expect() {
        world.always("the product in view is one of the catalogue's") { state in
            state.page.map { $0.catalogue.products.indices.contains($0.index) } ?? true
        }
        world.always("every change is on the disk") { _ in disk.value.count == pieces.value }
        world.wheneverSettled("no transition ends in a loading state") { state in
            if case .loading = state { false } else { true }
        }
        world.wheneverSettled("what is said to be added is on the disk") { state in
            if case .added(let page) = state { page.cart == disk.value } else { true }
        }
        world.atRest("the cart in view is the one that is stored") { state in
            isUnreadable.value || state.page.map { $0.cart == disk.value } ?? true
        }
    }
}
