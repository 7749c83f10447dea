import Promise
import PromisedModels
import PromisedModelsTesting
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// A task of a model that uses a client of endpoints, whose calls belong to the scheduler of the store.
@Suite struct EndpointTaskTests {
    private struct Basket: Model {
        struct State: Equatable { var prices: [Int] = [] }
        let context: ModelContext<Basket>
        private var state: ModelState<Basket> { context.state }

        func add(_ names: [String], from shop: TeaShop) -> Cancellable {
            task {
                for name in names { state.prices.append(try await shop.find(name).value) }
            } catch: { _ in
                state.prices.append(-1)
            }
        }
    }

    private let scheduler = TestScheduler()
    private let shop = TeaShop.live { Issue.record("\($0) was called") }

    @Test("a stub answers the calls of a task, one after the other") func stubbed() {
        let find = Stub(shop.find, on: scheduler)
        let store = Store<Basket>(initialState: .init(), scheduler: scheduler)
        _ = store.model.add(["tea", "mug", "lamp"], from: shop)
        scheduler.advance()
        #expect(find.inputs == ["tea"])
        find.fulfill(4)
        scheduler.advance()
        #expect(find.inputs == ["tea", "mug"])
        find.fulfill(9)
        scheduler.advance()
        find.reject(TeaShop.SoldOut(), call: .with("lamp"))
        scheduler.advance()
        #expect(store.state.prices == [4, 9, -1])
        scheduler.finish()
    }

    @Test("the end of a task cancels its call") func cancelled() {
        let find = Stub(shop.find, on: scheduler)
        let store = Store<Basket>(initialState: .init(), scheduler: scheduler)
        let adding = store.model.add(["tea", "mug"], from: shop)
        scheduler.advance()
        adding.cancel()
        scheduler.advance()
        #expect(find.calls.map(\.state) == [.cancelled])
        #expect(store.state.prices == [])
        find.finish()
    }
}
