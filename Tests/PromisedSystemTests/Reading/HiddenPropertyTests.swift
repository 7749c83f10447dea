import Observation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Properties of a state that are called like a member of the handle on it.
@Suite(.tags(.sharedState)) struct HiddenPropertyTests {
    /// One property for every public member of `Source` and `ViewStore`, and for what they contain themselves.
    private struct Names: Sendable, Equatable, Identifiable {
        var id = "id"
        var value = "value", values = "values", wrappedValue = "wrappedValue",
            projectedValue = "projectedValue"
        var binding = "binding", combined = "combined", constant = "constant", publisher = "publisher"
        var currentAndPrevious = "currentAndPrevious", filter = "filter", flatMap = "flatMap", hash = "hash"
        var hasSameValue = "hasSameValue", item = "item", map = "map", optional = "optional"
        var presence = "presence", printUpdates = "printUpdates", receive = "receive", scan = "scan"
        var removeDuplicates = "removeDuplicates", subscribe = "subscribe", unsubscribe = "unsubscribe"
        var isLoading = "isLoading", state = "state", sendEvent = "sendEvent"
        var identity = "identity", read = "read", attach = "attach", scheduler = "scheduler"

        static let all: [(name: String, path: any WritableKeyPath<Names, String> & Sendable)] = [
            ("id", \.id), ("value", \.value), ("values", \.values), ("wrappedValue", \.wrappedValue),
            ("projectedValue", \.projectedValue), ("binding", \.binding), ("combined", \.combined),
            ("constant", \.constant), ("publisher", \.publisher), ("filter", \.filter),
            ("flatMap", \.flatMap),
            ("currentAndPrevious", \.currentAndPrevious), ("hash", \.hash), ("hasSameValue", \.hasSameValue),
            ("item", \.item), ("map", \.map), ("optional", \.optional), ("presence", \.presence),
            ("printUpdates", \.printUpdates), ("receive", \.receive), ("scan", \.scan),
            ("removeDuplicates", \.removeDuplicates), ("subscribe", \.subscribe),
            ("unsubscribe", \.unsubscribe), ("isLoading", \.isLoading), ("state", \.state),
            ("sendEvent", \.sendEvent), ("identity", \.identity), ("read", \.read), ("attach", \.attach),
            ("scheduler", \.scheduler),
        ]
    }

    private typealias Change = @Sendable (inout Names) -> Void
    private let system = System<Names, Change>(
        initialState: Names(), scheduler: .immediate, reducer: Reducer { $1(&$0) })

    /// What `read` returns, and how often it is notified of a change of that property and of another one.
    private func observe(
        _ read: () -> String, _ path: any WritableKeyPath<Names, String> & Sendable
    ) -> (String, [Int]) {
        let fired = SharedCount()
        let seen = withObservationTracking(read) { fired.add(1) }
        let other: any WritableKeyPath<Names, String> & Sendable = path == \.map ? \.scan : \.map
        system.sendEvent { $0[keyPath: other] += "!" }
        let before = fired.value
        system.sendEvent { $0[keyPath: path] += "!" }
        return (seen, [before, fired.value])
    }

    @Test("SA-61: every property of a state is read by its key path, whatever its name, and tracked alone")
    func paths() {
        for (name, path) in Names.all {
            let (seen, fired) = observe({ system.settled[path] }, path)
            #expect(seen.hasPrefix(name) && fired == [0, 1], "\(name)")
        }
    }

    @Test("SA-61: what a source contains itself hides no property of the state") func internals() {
        let settled = system.settled
        #expect([settled.identity, settled.read, settled.scheduler] == ["identity", "read", "scheduler"])
    }

    @Test("SA-61: a view store reads every property of the state by its key path")
    @MainActor func views() async {
        let system = System<Names, Change>(
            initialState: Names(), scheduler: .main, reducer: Reducer { $1(&$0) })
        let view = ViewStore(system)
        for (name, path) in Names.all { #expect(view[path] == name) }
        let fired = SharedCount()
        withObservationTracking {
            _ = view[\.isLoading]
        } onChange: {
            fired.add(1)
        }
        system.sendEvent { $0.map = "other" }
        await mainCaughtUp()
        #expect(fired.value == 0)
        system.sendEvent { $0.isLoading = "other" }
        await mainCaughtUp()
        #expect(fired.value == 1 && view[\.isLoading] == "other")
    }

    @Test("SA-61: the id of a source is that of its value, and tracked alone") func ids() {
        let (seen, fired) = observe({ system.settled.id }, \.id)
        #expect(seen == "id" && fired == [0, 1])
        func first(_ sources: [some Identifiable<String>]) -> String? { sources.first?.id }
        #expect(first([system.settled]) == "id!")
    }

    @Test("SA-61: the properties of this suite are all public members of a source") func isComplete() throws {
        let lines = try SourceText.lines().filter {
            $0.file.hasPrefix("Reading/Source") || $0.file == "Reading/EventBinding.swift"
                || $0.file == "Reading/CurrentAndPrevious.swift" || $0.file == "Apple/Source+Combine.swift"
        }
        var (names, type) = (Set<String>(), "")
        for line in lines {
            let words = line.code.split { !$0.isLetter && !$0.isNumber && $0 != "@" }.map(String.init)
            if let place = words.firstIndex(where: { ["extension", "struct", "class"].contains($0) }) {
                type = words[place + 1]
            }
            if type == "Source", words.contains("public"),
                let place = words.firstIndex(where: { $0 == "func" || $0 == "var" })
            {
                names.insert(words[place + 1])
            }
        }
        // An operator, and a member of `Source.Values`.
        names.subtract(["left", "first"])
        #expect(names.subtracting(Names.all.map(\.name)) == [])
        #expect(names.count > 20)
    }
}
