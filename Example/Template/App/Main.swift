import PromisedSystem
import TemplateFeatures

/// Reads lines and shows what is found. A screen would show the same states.
@main
struct App {
    @MainActor static func main() async {
        let search = System(initialState: Search.State(), scheduler: .main, feature: Search.feature(.live))
        while let line = readLine() {
            search.sendEvent(.typed(line))
            guard let state = await search.settled.values.first(where: { !$0.isSearching }) else { return }
            print(state.failure ?? state.hits.joined(separator: ", "))
        }
    }
}
