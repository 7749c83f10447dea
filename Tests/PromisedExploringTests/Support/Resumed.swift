import Foundation
import PromisedExploring
import Testing

/// Runs `body` with a path for a file, which is removed afterwards.
func withFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "resuming \(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.appending(path: "saved").path(percentEncoded: false))
}

/// What a file has that an exploration is saved in.
func saved<State, Event>(_ exploration: Exploration<State, Event>) throws -> Data {
    try withFile { path in
        try exploration.save(to: path)
        return try Data(contentsOf: URL(filePath: path))
    }
}

/// Saves an exploration, and resumes it with another explorer.
func resumed<State, Event>(
    _ exploration: Exploration<State, Event>, by explorer: Explorer<State, Event>, depth: Int = 0,
    _ options: ExplorationOptions = .init()
) throws -> Exploration<State, Event> {
    try withFile { path in
        try exploration.save(to: path)
        return try explorer.resume(from: path, depth: depth, options) { _ in }
    }
}

/// Expects that an exploration that is cut, saved and resumed is the same as one that goes on without that, and as one
/// that is never cut.
func expectResumes<State: Hashable, Event>(
    depth: Int, cuts: some Sequence<Int>, _ name: String = "", of make: () -> Explorer<State, Event>
) throws {
    let whole = make().explore(depth: depth) { _ in }
    var count = 0
    for cut in cuts {
        let stopped = make().explore(depth: depth, .init(stepLimit: cut)) { _ in }
        guard stopped.reachedStepLimit else { break }
        if stopped.counterexample != nil { continue }
        count += 1
        let place: Comment = "\(name) cut after \(cut)"
        let (continued, resumed) = (stopped.continued(), try resumed(stopped, by: make()))
        try expectSame(resumed, continued, place)
        #expect(resumed.counterexample?.steps.count == whole.counterexample?.steps.count, place)
        if whole.counterexample == nil {
            #expect(resumed.levels == whole.levels, place)
            if !whole.gaps.contains(.view) { #expect(Set(resumed.states) == Set(whole.states), place) }
            #expect(resumed.gaps == whole.gaps, place)
        }
    }
    #expect(count > 2 || whole.counterexample != nil || !name.isEmpty)
}

/// Expects that two explorations agree in everything, also in what is saved of them.
func expectSame<State: Hashable, Event>(
    _ one: Exploration<State, Event>, _ other: Exploration<State, Event>, _ place: Comment
) throws {
    #expect(one.description == other.description, place)
    #expect(one.levels == other.levels, place)
    #expect(one.steps == other.steps, place)
    #expect(one.states.count == other.states.count, place)
    // Of the states with one view, another one may be the first.
    if !one.gaps.contains(.view) { #expect(one.states == other.states, place) }
    #expect(one.gaps == other.gaps, place)
    if one.counterexample == nil { #expect(try saved(one) == saved(other), place) }
}
