import Foundation
import PromisedExploring
import PromisedSystem

@testable import ProductPage
@testable import ProductReading

/// The product page in a world whose catalogue, disk and clock an explorer decides on.
struct ExploredPage: CatalogueSource, CartStorage {
    typealias State = ProductPage.State
    typealias Event = ProductPage.Event

    static let events: [Event] = [.load, .add, .remove, .refresh, .next, .previous, .cancel]
    static let offline = PageError.unavailable(source: "shop", reason: "offline")
    static let full = PageError.cart(path: "cart.json", reason: "no space left")

    let world: World<State>
    let fails: Bool
    /// What is stored; a piece of the first product to begin with.
    let disk: WorldVariable<Cart>
    /// How many pieces that should be after the changes that have reached it.
    let pieces: WorldVariable<Int>
    /// The pieces put in and taken out that analytics have not heard of; negative for what never happened.
    let untracked: WorldVariable<[AnalyticsEvent.Name: Int]>
    /// Which of two versions of the catalogue the last load asked for.
    let version: WorldVariable<Int>
    let isStale: WorldVariable<Bool>

    /// - Parameters:
    ///   - fails: Whether calls may fail.
    ///   - make: Puts the machine together; a test that plants a fault puts it together in another way.
    static func explorer(
        events: [Event] = events, fails: Bool = true,
        make: @escaping @Sendable (ExploredPage) -> System<State, Event> = { $0.system() }
    ) -> Explorer<State, Event> {
        Explorer(events: events) { world in
            let page = ExploredPage(
                world: world, fails: fails, disk: world.variable(Cart(lines: [.oneA])),
                pieces: world.variable(1),
                untracked: world.variable([:]), version: world.variable(0), isStale: world.variable(false))
            page.expect()
            let system = make(page)
            system.onLoop { page.watch($0, AnalyticsEvent($0, at: .distantPast)) }
            return system
        }
    }

    /// The page, or the page with a part of it put differently: where the reducer given here says nothing, its own
    /// does.
    func system(
        _ reduce: @escaping @Sendable (State, Event) -> Promise<State>? = { _, _ in nil }
    ) -> System<State, Event> {
        ProductPage.system(effects: effects, scheduler: world.scheduler) { state, event, effects in
            reduce(state, event) ?? ProductPage.reduce(state: state, event: event, effects: effects)
        }
    }

    // MARK: What may happen

    var effects: Effects { Effects(source: self, storage: self) }

    static func catalogue(_ version: Int) -> Catalogue {
        Catalogue(source: "shop, version \(version)", id: "shop", products: [.a, .b])
    }

    func catalogue() -> Promise<Catalogue> {
        Promise.value(()).flatMap {
            version.value = 1 - version.value
            let version = version.value
            return call("catalogue", Self.offline) { Self.catalogue(version) }
        }
    }

    /// What was there when it was asked.
    func cart() -> Promise<Cart> {
        Promise.value(()).flatMap {
            let cart = disk.value
            return call("cart", Self.full) { cart }
        }
    }

    /// To store a change takes two steps: it may be on the disk, and the answer not be there.
    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        call("write", Self.full) {
            var cart = disk.value
            let isChanged = try cart.apply(change)
            // An addition is one piece more, whatever else the change does.
            switch change {
            case .add:
                (pieces.value, untracked.value[.addedToCart, default: 0]) = (pieces.value + 1, added + 1)
            case .remove where isChanged:
                (pieces.value, untracked.value[.removedFromCart, default: 0]) = (
                    pieces.value - 1, removed + 1
                )
            case .remove: break
            }
            disk.value = cart
            return isChanged
        }
        .flatMap { isChanged in
            guard isChanged else { return .value((disk.value, false)) }
            return call("confirm", Self.full) { (disk.value, true) }
        }
    }

    private var added: Int { untracked.value[.addedToCart] ?? 0 }
    private var removed: Int { untracked.value[.removedFromCart] ?? 0 }

    /// Something that comes, or fails.
    private func call<Value: Sendable>(
        _ name: String, _ error: PageError, _ answer: @escaping @Sendable () throws -> Value
    ) -> Promise<Value> {
        guard fails else { return world.call(name, .result("comes", answer)) }
        return world.call(
            name, .result("comes", answer),
            .result("fails") { throw error })
    }

    // MARK: What must hold

    func watch(_ record: LoopRecord<State, Event>, _ tracked: AnalyticsEvent?) {
        switch tracked?.event {
        case .addedToCart?: untracked.value[.addedToCart] = added - 1
        case .removedFromCart?: untracked.value[.removedFromCart] = removed - 1
        case .productLoaded?, .productRefreshed?:
            isStale.value = record.after.page?.catalogue != Self.catalogue(version.value)
        default: break
        }
    }

    private func expect() {
        world.always("the product in view is one of the catalogue's") { state in
            state.page.map { $0.catalogue.products.indices.contains($0.index) } ?? true
        }
        world.always("every change is on the disk") { _ in disk.value.count == pieces.value }
        world.always("what is tracked has happened") { _ in added >= 0 && removed >= 0 }
        world.always("a load shows the page that it asked for") { _ in !isStale.value }
        world.wheneverSettled("no transition ends in a loading state") { state in
            if case .loading = state { false } else { true }
        }
        world.wheneverSettled("what is said to be added or removed is on the disk") { state in
            switch state {
            case .added(let page, _), .removed(let page, _), .missing(let page, _): page.cart == disk.value
            default: true
            }
        }
        world.atRest("the cart in view is the one that is stored") { state in
            state.page?.cart.map { $0 == disk.value } ?? true
        }
    }
}
