// expect-error: switch must be exhaustive
// PK-02: a reducer that leaves an event out of its switch is refused
import PromisedSystem

enum Page {
    enum State { case start, loading, loaded }
    enum Event { case load, refresh }

    static func reduce(state: State, event: Event) -> Promise<State> {
        switch event {
        case .load: return Promise.value(.loaded).stateWhenLoading(.loading)
        case .refresh: return .value(.start)
        }
    }

    // <wrong>
    static func incomplete(state: State, event: Event) -> Promise<State> {
        switch event {
        case .load: return Promise.value(.loaded).stateWhenLoading(.loading)
        }
    }
    // </wrong>
}

let page = System(initialState: Page.State.start, scheduler: .immediate, reducer: Page.reduce)
