import PromisedSystem
import PromisedTesting

@testable import ProductPage

/// The product page in a world whose catalogue, disk and clock an explorer decides on.
enum ExploredPage {
    typealias State = ProductPage.State
    typealias Event = ProductPage.Event

    static let events: [Event] = [.load, .add, .remove, .refresh, .next, .previous, .cancel]
    static let catalogue = Catalogue(source: "shop", products: [.a, .b])
    static let offline = PageError.unavailable(source: "shop", reason: "offline")
    static let full = PageError.cart(path: "cart.json", reason: "no space left")

    /// How the machine is put together; a test that plants a fault puts another one together.
    typealias Make = @Sendable (Effects, World<State>) -> System<State, Event>

    static func explorer(
        events: [Event] = events,
        make: @escaping Make = { ProductPage.system(effects: $0, scheduler: $1.scheduler) }
    ) -> Explorer<State, Event> {
        Explorer(events: events) { world in
            let disk = world.variable(Cart())
            // What the cart should be after the changes that have reached the disk.
            let pieces = world.variable(0)
            expect(of: world, disk, pieces)
            return make(effects(in: world, disk, pieces), world)
        }
    }

    /// To store a change takes two steps: it may be on the disk, and the word of that not be there.
    private static func effects(
        in world: World<State>, _ disk: WorldVariable<Cart>, _ pieces: WorldVariable<Int>
    ) -> Effects {
        Effects(
            catalogue: { world.call("catalogue", .value("two products"), .error(offline)).map { _ in catalogue } },
            remembered: { .value(nil) }, choose: { _ in 0 },
            cart: { world.call("cart", .result("read") { disk.value }, .error(full)) },
            changeCart: { change in
                world.call(
                    "write",
                    .result("done") {
                        let before = disk.value.count
                        var probe = Cart()
                        try? change(&probe)
                        try disk.change { cart throws(PageError) in try change(&cart) }
                        pieces.value = max(before + (probe.count > 0 ? 1 : -1), 0)
                    }, .error(full)
                )
                .flatMap { world.call("confirm", .result("done") { disk.value }, .error(full)) }
            })
    }

    private static func expect(
        of world: World<State>, _ disk: WorldVariable<Cart>, _ pieces: WorldVariable<Int>
    ) {
        world.always("the product in view is one of the catalogue's") { state in
            state.page.map { $0.catalogue.products.indices.contains($0.index) } ?? true
        }
        world.always("each change of the cart is on the disk") { _ in disk.value.count == pieces.value }
        world.wheneverSettled("no transition ends in a loading state") { state in
            if case .loading = state { false } else { true }
        }
        world.wheneverSettled("what is said to be in the cart is on the disk") { state in
            if case .added(let page) = state { page.cart == disk.value } else { true }
        }
        world.atRest("the cart in view is the one that is stored") { state in
            if case .failed = state { true } else { state.page.map { $0.cart == disk.value } ?? true }
        }
    }
}
