import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// The dependencies of a system are passed in by the code that makes it.
@Suite struct DependencyTests {
    /// Everything that the effects need from outside.
    private struct World: Sendable {
        var price: @Sendable (String) -> Promise<Int>
    }

    private enum Event: Sendable {
        case ask(String)
        case costs(Int)
    }

    private static func system(_ world: World, _ scheduler: TestScheduler) -> System<Int?, Event> {
        System(
            initialState: nil, scheduler: scheduler,
            feedbacks: [
                .withLatest(events: { if case .ask(let item) = $0 { item } else { nil } }) { item in
                    world.price(item).map(Event.costs)
                }
            ]
        ) { state, event in
            if case .costs(let price) = event { .value(price) } else { .value(state) }
        }
    }

    /// A view is created with its system, and with nothing else.
    private struct View {
        let system: System<Int?, Event>

        var text: String { system.state.map { "\($0) cents" } ?? "–" }
        func tap() { system.sendEvent(.ask("tea")) }
    }

    @Test("SR-25: work started by a tap calls the dependencies of its system; the view knows none of them")
    func fake() {
        let scheduler = TestScheduler()
        let asked = Log<String>()
        let world = World(price: { item in
            Promise { resolver in
                asked.add(item)
                resolver.fulfill(250)
            }
            .delay(.seconds(1))
        })
        let view = View(system: Self.system(world, scheduler))
        #expect(asked.entries.isEmpty)
        view.tap()
        scheduler.advance(by: .seconds(1))
        #expect(asked.entries == ["tea"])
        #expect(view.text == "250 cents")
        #expect(Mirror(reflecting: view).children.map(\.label) == ["system"])
    }
}
