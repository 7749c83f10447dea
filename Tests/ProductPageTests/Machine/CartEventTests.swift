import Testing

@testable import ProductPage

@Suite struct CartEventTests {
    @Test("adding and removing change the cart that is kept, by the product in view")
    func addingAndRemoving() {
        let shop = FakeShop(cart: [.c])
        let stage = PageStage(shop.effects)
        stage.play(.load, .add, .add, .next, .add, .previous, .remove)
        #expect(
            stage.shown == [
                "start", "loading", "loaded A 1", "loading A 1", "added A 2", "loading A 2", "added A 3",
                "loaded B 3", "loading B 3", "added B 4", "loaded A 4", "loading A 4", "removed A 3",
            ])
        #expect(shop.cart.lines.map { "\($0.id)\($0.quantity)" } == ["C1", "A1", "B1"])
    }

    @Test("removing what is not in the cart changes nothing")
    func removingNothing() {
        let shop = FakeShop(cart: [.c])
        let stage = PageStage(shop.effects)
        stage.play(.load, .remove)
        #expect(stage.shown.suffix(2) == ["loading A 1", "removed A 1"])
        #expect(shop.cart.lines.map(\.id) == ["C"])
    }

    @Test("a change that fails leaves the cart, the product and what comes after")
    func failingChange() {
        let shop = FakeShop(failing: [2, 4])
        let stage = PageStage(shop.effects)
        stage.play(.load, .add, .add, .remove, .next)
        #expect(
            stage.shown == [
                "start", "loading", "loaded A 0", "loading A 0", "failed A 0", "loading A 0", "added A 1",
                "loading A 1", "failed A 1", "loaded B 1",
            ])
        #expect(shop.cart.count == 1)
    }

    @Test("a change starts from the cart that is kept, not from the one on the page")
    func changesOfSomebodyElse() {
        let shop = FakeShop()
        let stage = PageStage(shop.effects)
        stage.play(.load)
        let other = PageStage(shop.effects)
        other.play(.load, .next, .add)
        stage.play(.add)
        #expect(stage.shown.last == "added A 2")
    }
}
