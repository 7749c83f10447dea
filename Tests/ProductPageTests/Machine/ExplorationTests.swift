import Foundation
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import ProductPage

/// Every order in which things can happen to the page. What must hold is said in `ExploredPage`.
@Suite struct ExplorationTests {
    /// Seven events, what effects come to, and time: all sequences of up to six of them.
    private static let six = ExploredPage.explorer().check(depth: 6)

    @Test("every order of seven events, of what effects come to, and of time, up to six steps")
    func everything() {
        #expect(Self.six.counterexample == nil)
        #expect(Self.six.levels.map(\.configurations) == [1, 4, 25, 179, 1100, 6676, 40384])
        #expect(Self.six.configurations == 48_369)
        #expect(Self.six.transitions + Self.six.inferredTransitions == 88_633)
        #expect(Self.six.paths == 774)
    }

    @Test("the diagram in the example's README is the one that was explored")
    func diagram() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Example/README.md")
        let diagram = Self.six.diagram(cases: ["start", "loading", "loaded", "added", "removed", "failed"])
        #expect(diagram.unreached.isEmpty)
        #expect(
            try String(contentsOf: readme, encoding: .utf8).contains("```mermaid\n\(diagram.mermaid)```\n"))
    }

    @Test("deeper, with the events that change the cart")
    func deeper() {
        ExploredPage.explorer(events: [.load, .add, .cancel]).check(
            depth: rounds(1) > 1 ? 10 : isStress ? 7 : 6)
    }

    @Test("R16: random walks go far beyond that, each again from its seed")
    func walks() {
        let explorer = ExploredPage.explorer()
        let walks = explorer.check(walks: rounds(20, stress: 300), length: 60)
        #expect(walks.walks == rounds(20, stress: 300))
        for seed in [UInt64(7), 8] {
            let (first, second) = (
                explorer.walk(length: 60, seed: seed), explorer.walk(length: 60, seed: seed)
            )
            #expect(first.map(\.step) == second.map(\.step))
            #expect(first.map(\.shown) == second.map(\.shown))
        }
    }

    // MARK: Found by exploring, and mended

    @Test("turning to the next product does not end the reading of a cart that is in doubt")
    func nextWhileInDoubt() {
        let trace = ExploredPage.explorer().replay(
            .send(.load), .answer("cart", "comes"), .answer("catalogue", "comes"), .send(.add),
            .answer("write", "comes"), .send(.cancel), .send(.next), .answer("cart 2", "comes"))
        #expect(trace.last?.shown.last?.state.page?.cart.count == 1)
        #expect(trace.last?.shown.last?.state.page?.product == .b)
    }

    @Test("a load that fails behind a cancelled change has the cart read again")
    func failedLoadWhileInDoubt() {
        let trace = ExploredPage.explorer().replay(
            .send(.load), .send(.add), .send(.load), .answer("cart", "comes"), .answer("catalogue", "comes"),
            .answer("write", "comes"), .send(.cancel), .answer("catalogue 2", "fails"),
            .answer("cart 4", "comes"))
        #expect(trace.last?.shown.last?.state == .failed(ExploredPage.offline, ExploredPage.page(pieces: 1)))
    }

    // MARK: Planted faults

    @Test("a lost update: a change is made to the cart in view instead of the one on the disk")
    func lostUpdate() {
        let explorer = ExploredPage.explorer(events: [.load, .add, .cancel], fails: false) { page in
            page.system { state, event in
                var effects = page.effects
                let change = effects.changeCart
                effects.changeCart = { body in
                    change { cart throws(PageError) in
                        cart = state.page?.cart ?? cart
                        try body(&cart)
                    }
                }
                return ProductPage.reduce(state: state, event: event, effects: effects)
            }
        }
        let found = explorer.explore(depth: 10).counterexample
        #expect(found?.property == "every change is on the disk")
        #expect(
            found?.script == """
                explorer.replay(
                    .send(.load),
                    .send(.add),
                    .send(.add),
                    .answer("cart", "comes"),
                    .answer("catalogue", "comes"),
                    .answer("write", "comes"),
                    .send(.cancel),
                    .answer("write 2", "comes"),
                    .send(.cancel))
                """)
    }

    @Test("a loading state that is never withdrawn: a failed change ends in one")
    func stuckSpinner() {
        let explorer = ExploredPage.explorer { page in
            page.system { state, event in
                ProductPage.reduce(state: state, event: event, effects: page.effects).map { next in
                    if case .failed(.cart, let page?) = next, event == .add {
                        .loading(page, .asked)
                    } else {
                        next
                    }
                }
            }
        }
        let found = explorer.explore(depth: 6).counterexample
        #expect(found?.property == "no transition ends in a loading state")
        #expect(
            found?.script == """
                explorer.replay(
                    .send(.load),
                    .send(.add),
                    .answer("cart", "comes"),
                    .answer("catalogue", "comes"),
                    .answer("write", "fails"))
                """)
    }

    @Test(
        "a stale response that overtakes a newer one: what the cart was is shown over what it is",
        .enabled(if: isStress, "nine steps deep"))
    func staleResponse() {
        let explorer = ExploredPage.explorer(events: [.load, .add, .cancel], fails: false) { page in
            page.system(feedbacks: [
                .onEvent({ $0 == .cancel ? true : nil }, policy: .concurrent) { _ in
                    page.effects.cart().map(ProductPage.Event.stored)
                }
            ])
        }
        let found = explorer.explore(depth: 10).counterexample
        #expect(found?.property == "the cart in view is the one that is stored")
        #expect(
            found?.script == """
                explorer.replay(
                    .send(.load),
                    .answer("cart", "comes"),
                    .answer("catalogue", "comes"),
                    .send(.cancel),
                    .send(.add),
                    .answer("cart 2", "comes"),
                    .answer("write", "comes"),
                    .answer("confirm", "comes"))
                """)
    }
}
