// expect-error: cannot assign to property: 'counter' is immutable
// OS-03: a property of the state is read through the model, and written by the model's own methods
import PromisedModels

struct Counter: Model {
    struct State: Equatable { var count = 0 }
    let context: ModelContext<Counter>
}

func example(counter: inout Counter) -> Int {
    // <wrong>
    counter.count = 1
    // </wrong>
    return counter.count
}
