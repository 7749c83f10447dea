import PromisedExploring
import PromisedSystem
import Testing

/// The names of states in a diagram, where none are given.
@Suite struct StateNameTests {
    private struct Inner: Hashable, Sendable { var word = "", limit = 3 }
    private struct Outer: Hashable, Sendable {
        var inner = Inner(), hits: [String] = [], version = 1
    }

    private func names(_ states: [Outer]) -> [String] {
        let explorer = Explorer<Outer, Int>(events: Array(states.indices)) { world in
            System(initialState: states[0], scheduler: world.scheduler, reducer: Reducer { $0 = states[$1] })
        }
        return explorer.explore(depth: 1).diagram().nodes.map(\.name)
    }

    @Test("a struct is named by the properties in which the states differ")
    func differing() {
        #expect(
            names([Outer(), Outer(inner: Inner(word: "t")), Outer(inner: Inner(word: "t"), hits: ["tea"])])
                == [
                    #"inner.word: "", hits: []"#, #"inner.word: "t", hits: []"#,
                    #"inner.word: "t", hits: ["tea"]"#,
                ])
    }

    private struct Note: Hashable, Sendable { var text: String? }

    @Test("an optional text is named like a text") func optional() {
        let explorer = Explorer<Note, Int>(events: [1]) { world in
            System(initialState: Note(), scheduler: world.scheduler, reducer: Reducer { $0.text = "\($1)" })
        }
        #expect(explorer.explore(depth: 1).diagram().nodes.map(\.name) == ["text: nil", #"text: "1""#])
    }

    @Test("long properties are cut, and states with equal names are numbered")
    func long() {
        let (one, two) = (Array(repeating: "tea", count: 9), Array(repeating: "tea", count: 10))
        #expect(
            names([Outer(hits: one), Outer(hits: two)]) == [
                #"hits: ["tea", "tea", "tea", "tea", "te…"#, #"hits: ["tea", "tea", "tea", "tea", "te… (2)"#,
            ])
    }

    @Test("a state without another one is shown as a whole")
    func alone() {
        #expect(
            names([Outer()]) == [
                #"StateNameTests.Outer(inner: StateNameTests.Inner(word: "", limit: 3), hits: [], version: 1)"#
            ])
    }
}
