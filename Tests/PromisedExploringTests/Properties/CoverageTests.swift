import PromisedExploring
import PromisedSystem
import Testing

@Suite struct CoverageTests {
    @Test("what is covered of a machine, by kind")
    func covered() {
        let found = Order.explorer { _ in }.check(depth: 20).coverage
        func names(_ kind: Coverage.Kind) -> [String] { found.items.filter { $0.kind == kind }.map(\.name) }
        #expect(names(.state) == ["cart", "placing", "placed", "failed"])
        #expect(names(.event) == ["place", "new", "placed", "failed"])
        #expect(names(.outcome) == ["order → done", "order → refused"])
        #expect(names(.feedback).count == 1)
        #expect(
            Set(names(.transition)) == [
                "cart → placing", "cart → cart", "cart → placed", "cart → failed", "placing → placing",
                "placing → cart", "placing → placed", "placing → failed", "placed → placing", "placed → cart",
                "failed → placing", "failed → cart",
            ])
        #expect(found.missing.isEmpty)
    }

    @Test("what is not covered at a depth may be covered beyond; in a complete exploration it is unreachable")
    func missing() {
        let explorer = Order.explorer { _ in }
        let found = explorer.explore(depth: 1).coverage(ofStates: ["placed", "lost"], events: [])
        #expect(
            found.missing.map(\.description) == [
                "state placed: not covered", "state lost: not covered", "event new: not covered",
                "outcome order → done: not covered", "outcome order → refused: not covered",
            ])
        let all = explorer.explore(depth: 20).coverage(ofStates: ["placed", "lost"], events: ["lost"])
        #expect(all.missing.map(\.description) == ["state lost: unreachable", "event lost: unreachable"])
    }

    @Test(
        "cases of a CaseIterable enum are known; an event that changes nothing and an unused feedback are missing"
    )
    func known() {
        enum Light: Hashable, CaseIterable { case red, green, broken }
        enum Event: Hashable, CaseIterable { case next, look, broken }
        let explorer = Explorer<Light, Event>(events: [.next, .look]) { world in
            System(
                initialState: .red, scheduler: world.scheduler,
                reducer: Reducer { light, event in if event == .next { light = light == .red ? .green : .red }
                },
                feedbacks: [
                    .onEvent({ $0 == .broken ? true : nil }) { _ in world.call("mend", .value(Event.next)) }
                ])
        }
        let exploration = explorer.check(depth: 9)
        let missing = exploration.coverage.missing.map(\.description)
        #expect(
            Array(missing.prefix(3)) == [
                "state broken: unreachable", "event look: unreachable", "event broken: unreachable",
            ])
        #expect(missing.count == 4)
        #expect(missing.last?.hasPrefix("feedback PromisedExploringTests/CoverageTests.swift:") == true)
        let texts = failures {
            exploration.expectCoverage(except: [
                "event look", "event broken", missing[3].replacing(": unreachable", with: ""),
            ])
        }
        #expect(
            texts == [
                """
                The exploration has not covered everything:

                    state broken: unreachable

                Add events or outcomes, raise the depth, or name it in except.
                """
            ])
    }

    @Test("the outcomes of calls with one name are listed together, however many each call has")
    func outcomes() {
        let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
            System(initialState: 0, scheduler: world.scheduler) { _, event in
                event == 1 ? world.call("get", .value(1)) : world.call("get", .value(2), .value(3))
            }
        }
        let items = explorer.check(depth: 20).coverage.items.filter { $0.kind == .outcome }
        #expect(
            items.map(\.description).sorted() == [
                "outcome get → 1: covered", "outcome get → 2: covered", "outcome get → 3: covered",
            ])
    }

    @Test("a counterexample is the only failure: what was not covered before it is none")
    func violated() {
        let exploration = Order.explorer { world in world.always("nothing is placed") { $0 != .placing } }
            .explore(depth: 20)
        #expect(exploration.counterexample != nil && !exploration.coverage.missing.isEmpty)
        #expect(failures { exploration.expectCoverage() }.isEmpty)
    }

    @Test("everything that is covered passes")
    func passes() { Order.explorer { _ in }.check(depth: 20).expectCoverage() }
}
