import PromisedExploring
import PromisedSystem

@testable import ProductPage

/// The product page in a world whose catalogue, disk and clock an explorer decides on.
struct ExploredPage: Sendable {
    typealias State = ProductPage.State
    typealias Event = ProductPage.Event

    static let events: [Event] = [.load, .add, .remove, .refresh, .next, .previous, .cancel]
    static let catalogue = Catalogue(source: "shop", products: [.a, .b])
    static let offline = PageError.unavailable(source: "shop", reason: "offline")
    static let full = PageError.cart(path: "cart.json", reason: "no space left")

    /// The first product in view, and so many pieces of it in the cart.
    static func page(pieces: Int) -> ProductPage.Page {
        var cart = Cart()
        for _ in 0..<pieces { try? cart.add(.a) }
        return ProductPage.Page(catalogue: catalogue, index: 0, cart: cart)
    }

    let world: World<State>
    let fails: Bool
    /// What is stored, and how many pieces that should be after the changes that have reached it.
    let disk: WorldVariable<Cart>
    let pieces: WorldVariable<Int>
    /// Whether the cart could not be read the last time: then nobody can know.
    let isUnreadable: WorldVariable<Bool>

    /// - Parameters:
    ///   - fails: Whether calls may fail.
    ///   - make: Puts the machine together; a test that plants a fault puts it together in another way.
    static func explorer(
        events: [Event] = events, fails: Bool = true,
        make: @escaping @Sendable (ExploredPage) -> System<State, Event> = {
            ProductPage.system(effects: $0.effects, scheduler: $0.world.scheduler)
        }
    ) -> Explorer<State, Event> {
        Explorer(events: events) { world in
            let page = ExploredPage(
                world: world, fails: fails, disk: world.variable(Cart()), pieces: world.variable(0),
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
            configuration: .init(eventPolicy: { $0 == .cancel ? .replace : .queue })
        ) { state, event in
            reduce(state, event) ?? ProductPage.reduce(state: state, event: event, effects: effects)
        }
    }

    // MARK: What may happen

    /// To store a change takes two steps: it may be on the disk, and the word of that not be there.
    var effects: Effects {
        Effects(
            catalogue: { call("catalogue", Self.offline) { Self.catalogue } },
            remembered: { .value(nil) }, choose: { _ in 0 },
            cart: { Promise.value(()).flatMap { read() } }, changeCart: { change in write(change) })
    }

    /// What was there when it was asked.
    private func read() -> Promise<Cart> {
        let cart = disk.value
        return call("cart", Self.full, onFailure: { isUnreadable.value = true }) {
            isUnreadable.value = false
            return cart
        }
    }

    private func write(
        _ change: @escaping @Sendable (inout Cart) throws(PageError) -> Void
    ) -> Promise<Cart> {
        call("write", Self.full) {
            var (one, whole) = (Cart(), disk.value)
            try change(&one)
            try change(&whole)
            // An addition is one piece more, whatever else the change does.
            pieces.value = one.count > 0 ? disk.value.count + 1 : whole.count
            try disk.change { cart throws(PageError) in try change(&cart) }
        }
        .flatMap { call("confirm", Self.full) { disk.value } }
    }

    /// Something that comes, or fails.
    private func call<Value: Sendable>(
        _ name: String, _ error: PageError, onFailure: @escaping @Sendable () -> Void = {},
        _ answer: @escaping @Sendable () throws -> Value
    ) -> Promise<Value> {
        guard fails else { return world.call(name, .result("comes", answer)) }
        return world.call(
            name, .result("comes", answer),
            .result("fails") {
                onFailure()
                throw error
            })
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
