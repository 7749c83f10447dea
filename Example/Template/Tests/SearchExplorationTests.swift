import Foundation
import PromisedExploring
import PromisedSystem
import Testing

@testable import TemplateFeatures

/// Every order of letters, answers, failures and time.
struct SearchExplorationTests {
    /// The nightly workflow sets a larger one.
    private var depth: Int { ProcessInfo.processInfo.environment["EXPLORATION_DEPTH"].flatMap(Int.init) ?? 8 }

    @Test("What is found belongs to the text, and no search is left running")
    func everyOrder() {
        let client = Client(words: ["tea", "tent"])
        let explorer = Explorer<Search.State, Search.Event>(
            events: [.typed("te"), .typed("tea"), .typed(""), .retried]
        ) { world in
            world.always("what is found begins with the text") { search in
                search.hits.allSatisfy { !search.text.isEmpty && $0.hasPrefix(search.text) }
            }
            world.atRest("no search is left running") { !$0.isSearching }
            world.outcomes(of: client.find) { text in
                [.result("comes") { ["tea", "tent"].filter { $0.hasPrefix(text) } }, .error(Offline())]
            }
            return System(
                initialState: Search.State(), scheduler: world.scheduler, feature: Search.feature(client))
        }
        let exploration = explorer.check(depth: depth)
        exploration.expectCoverage(events: ["typed", "retried", "found", "failed"])
    }
}
