import Testing

@testable import ProductPage

@Suite struct TurningTests {
    @Test("next and previous go round the corner at both ends, without a loading state")
    func wrapping() {
        let shop = FakeShop()
        let stage = PageStage(shop.effects)
        stage.play(.load, .next, .next, .next, .previous, .previous)
        #expect(
            stage.shown == [
                "start", "loading", "loaded A 0", "loaded B 0", "loaded C 0", "loaded A 0", "loaded C 0",
                "loaded B 0",
            ])
        #expect(shop.asked == ["catalogue"])
    }

    @Test("in a catalogue of one, both stay where they are")
    func alone() {
        let shop = FakeShop()
        shop.restock([.b])
        let stage = PageStage(shop.effects)
        stage.play(.load, .next, .previous)
        #expect(stage.shown == ["start", "loading", "loaded B 0", "loaded B 0", "loaded B 0"])
    }
}
