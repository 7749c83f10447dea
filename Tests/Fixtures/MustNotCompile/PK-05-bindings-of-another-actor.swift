// expect-error: to expected argument type 'UIBindings<Int>'
// PK-05: an array of closures is not converted to one of others, which would fail at run time
import PromisedSystem

@globalActor actor Other {
    static let shared = Other()
}

func example(bindings: [(@Other (Int) -> Void)?]) {
    // <wrong>
    _ = System<Int, Int>(initialState: 0, scheduler: .immediate, uiBindings: bindings) { .value($0 + $1) }
    // </wrong>
    _ = System<Int, Int>(initialState: 0, scheduler: .immediate, uiBindings: [bindings[0]]) { state, _ in
        .value(state)
    }
}
