import Promise
import PromisedExploring
import PromisedSystem
import Testing

/// Explores a machine twice, with equal configurations merged and along every path, and expects the same states, and the
/// same counterexample or none.
@discardableResult
func expectSame<State: Hashable & Sendable, Event: Hashable & Sendable>(
    _ events: [Event], depth: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ build: @escaping Explorer<State, Event>.Build
) -> Exploration<State, Event> {
    let explorer = Explorer(events: events, build: build)
    let merged = explorer.explore(depth: depth)
    let every = explorer.explore(depth: depth, .init(merging: .none))
    #expect(
        merged.counterexample?.description == every.counterexample?.description,
        sourceLocation: sourceLocation)
    if merged.counterexample == nil, every.counterexample == nil {
        #expect(Set(merged.states) == Set(every.states), sourceLocation: sourceLocation)
    }
    return merged
}
