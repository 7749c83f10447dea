import Promise
import PromisedModels
import TestSupport
import Testing

/// Where the tasks of models run: on the store's scheduler, and what they await where Swift puts it.
@Suite(.tags(.sharedState)) struct TaskPlaceTests {
    struct Page: Model {
        struct State: Equatable { var number = 0 }
        let context: ModelContext<Page>

        init(context: ModelContext<Page>) { self.context = context }
    }

    private actor Elsewhere {
        func isOn(_ scheduler: any SerialScheduler) -> Bool { scheduler.isCurrent }
    }

    @Test("tasks, and the handling of elements, run on the scheduler of the store", arguments: [0, 1, 2])
    func places(kind: Int) async {
        let scheduler = QueueScheduler.serial("models")
        let store = Store<Page>(initialState: .init(), scheduler: scheduler)
        let (places, done) = AsyncStream.makeStream(of: [Bool].self)
        scheduler.schedule {
            if kind == 0 {
                store.model.task {
                    let before = scheduler.isCurrent
                    let inside = await Elsewhere().isOn(scheduler)
                    done.yield([before, inside, scheduler.isCurrent])
                }
            } else {
                let numbers = AsyncStream<Int> {
                    $0.yield(1)
                    $0.finish()
                }
                store.model.forEach(numbers, cancelPrevious: kind == 2) { _ in
                    let before = scheduler.isCurrent
                    let inside = await Elsewhere().isOn(scheduler)
                    done.yield([before, inside, scheduler.isCurrent])
                }
            }
        }
        #expect(await places.first { _ in true } == [true, false, true])
    }
}
