import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// Every order in which things can happen to the page. What must hold is said in `ExploredPage`.
@Suite struct ExplorationTests {
    private static let six = ExploredPage.explorer().check(depth: 6)

    @Test("every order of seven events, of what effects come to, and of time, up to six steps")
    func everything() {
        #expect(Self.six.counterexample == nil)
        #expect(Self.six.levels.map(\.configurations) == [])
        #expect(Self.six.configurations == 47_219)
        #expect(Self.six.transitions + Self.six.inferredTransitions == 0)
        #expect(Self.six.paths == 0)
    }

    @Test("a lost update: a change is made to the cart in view instead of the one on the disk")
    func lostUpdate() {
        let explorer = ExploredPage.explorer(events: [.load, .add, .cancel]) { page in
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
        print(explorer.explore(depth: 12).counterexample!)
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
        print(explorer.explore(depth: 6).counterexample!)
    }

    @Test("a stale response that overtakes a newer one: what the cart was is shown over what it is")
    func staleResponse() {
        let explorer = ExploredPage.explorer(events: [.load, .add, .cancel]) { page in
            page.system(feedbacks: [
                .onEvent({ $0 == .cancel ? true : nil }, policy: .concurrent) { _ in
                    page.effects.cart().map(ProductPage.Event.stored)
                }
            ])
        }
        print(explorer.explore(depth: 12).counterexample!)
    }

    @Test("diagram")
    func diagram() {
        let diagram = Self.six.diagram(cases: ["start", "loading", "loaded", "added", "removed", "failed"])
        print(diagram.mermaid)
        print(diagram.dot)
    }
}
