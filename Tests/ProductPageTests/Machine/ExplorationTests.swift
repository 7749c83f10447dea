import Foundation
import PromisedExploring
import PromisedSystem
import TestSupport
import Testing

@testable import ProductPage
@testable import ProductReading

/// Every order in which things can happen to the page. What must hold is said in `ExploredPage`.
@Suite(.tags(.noSharedState)) struct ExplorationTests {
    /// The last two levels take three quarters of the time, and no planted fault needs them; the diagram does.
    private static let depth = checksDocumentation ? 8 : 6
    private static let all = ExploredPage.explorer().check(depth: depth)

    @Test("every order of seven events, of what effects come to, and of time, up to six steps, or eight")
    func everything() {
        #expect(Self.all.counterexample == nil)
        let levels = [1, 3, 11, 30, 87, 265, 649, 1386, 2735].prefix(Self.depth + 1)
        #expect(Self.all.levels.map(\.configurations) == Array(levels))
        #expect(Self.all.configurations == levels.reduce(0, +))
        guard Self.depth == 8 else { return }
        #expect(Self.all.transitions + Self.all.inferredTransitions == 10_542)
        #expect(Self.all.paths == 5050)
    }

    @Test(
        "the diagram in the example's README is the one that was explored", .enabled(if: checksDocumentation))
    func diagram() throws {
        let readme = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Example/README.md")
        let diagram = Self.all.diagram(cases: [
            "start", "loading", "loaded", "added", "removed", "missing", "failed",
        ])
        #expect(diagram.unreached.isEmpty)
        let text = try String(contentsOf: readme, encoding: .utf8)
        #expect(text.contains("```mermaid\n\(diagram.mermaid)```\n"), "it is now\n\(diagram.mermaid)")
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

    // MARK: Planted faults

    /// A page in which `reduce` does some of the reducing, and what the explorer finds.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var depth = 7
        var events = ExploredPage.events
        var fails = false
        let found: String
        let reduce:
            @Sendable (ExploredPage, ProductPage.State, ProductPage.Event) -> Promise<ProductPage.State>?
    }

    /// Changes the cart that was in view instead of the one that is stored.
    private struct LosingStorage: CartStorage {
        let page: ExploredPage
        let view: Cart

        func cart() -> Promise<Cart> { page.cart() }
        func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
            Promise.value(()).flatMap {
                page.disk.value = view
                return page.change(change)
            }
        }
    }

    static let faults = [
        Fault(
            testDescription: "a lost update: a change is made to the cart in view, or to none", depth: 10,
            events: [.load, .add, .cancel], fails: true,
            found: "every change is on the disk: load, add, catalogue comes, cart fails, cancel"
        ) { page, state, event in
            guard event == .add, let view = state.page?.cart ?? state.page.map({ _ in Cart() }) else {
                return nil
            }
            let effects = Effects(source: page, storage: LosingStorage(page: page, view: view))
            return ProductPage.reduce(state: state, event: event, effects: effects)
        },
        Fault(
            testDescription: "a loading state that is never withdrawn: a failed change ends in one",
            events: [.load, .add, .cancel], fails: true,
            found: "no transition ends in a loading state: "
                + "load, add, catalogue comes, cart comes, write fails, cart 2 comes"
        ) { page, state, event in
            guard event == .add else { return nil }
            return ProductPage.reduce(state: state, event: event, effects: page.effects).map { next in
                if case .failed(.cart, let page?) = next { .loading(page, .started) } else { next }
            }
        },
        Fault(
            testDescription: "a removal that is said and tracked though there was nothing to remove",
            events: [.load, .next, .remove],
            found:
                "what is tracked has happened: load, next, remove, load, catalogue comes, cart comes, write comes"
        ) { page, state, event in
            guard event == .remove else { return nil }
            return ProductPage.reduce(state: state, event: event, effects: page.effects).map { next in
                if case .missing(let page, let line) = next { .removed(page, line) } else { next }
            }
        },
        Fault(
            testDescription: "a removal that removes nothing", events: [.load, .remove],
            found:
                "what is tracked has happened: load, remove, load, catalogue comes, cart comes, cart 2 comes"
        ) { page, state, event in
            guard event == .remove, let view = state.page else { return nil }
            return page.cart().map {
                .removed(ProductPage.Page(catalogue: view.catalogue, index: 0, cart: $0), view.line)
            }
        },
        Fault(
            testDescription: "an earlier page that is shown as a fresh one", events: [.load, .cancel],
            found: "a load shows the page that it asked for: "
                + "load, load, load, catalogue comes, cart comes, catalogue 2 comes, cart 2 comes"
        ) { page, state, event in
            guard event == .load, let view = state.page else { return nil }
            return ProductPage.reduce(state: state, event: event, effects: page.effects).map { _ in
                .loaded(view)
            }
        },
        Fault(
            testDescription: "a cart that is not read again after a change was cancelled", depth: 8,
            events: [.load, .add, .cancel],
            found: "the cart in view is the one that is stored: "
                + "load, add, catalogue comes, cart comes, write comes, cancel"
        ) { page, state, event in
            guard event == .cancel, let view = state.page else { return nil }
            return .value(.loaded(view))
        },
    ]

    @Test("planted faults are found", arguments: faults) func finds(_ fault: Fault) {
        let explorer = ExploredPage.explorer(events: fault.events, fails: fault.fails) { page in
            page.system { state, event in fault.reduce(page, state, event) }
        }
        let found = explorer.explore(depth: fault.depth).counterexample.map { counterexample in
            let steps = counterexample.script.split(separator: "\n").dropFirst().map { step in
                step.filter { $0.isLetter || $0.isNumber || $0 == " " }.replacing("send", with: "")
                    .replacing("answer", with: "").trimmingCharacters(in: .whitespaces)
            }
            return "\(counterexample.property): \(steps.joined(separator: ", "))"
        }
        #expect(found == fault.found)
    }
}
