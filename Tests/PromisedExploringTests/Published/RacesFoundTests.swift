import Foundation
import PromisedExploring
import Testing

/// The table of the page "Races that it finds" has what is found.
@Suite struct RacesFoundTests {
    @Test("the page states the steps and the configurations of each machine")
    func table() throws {
        let machines = [
            "search as you type": figures(SearchAsYouType.explorer),
            "sign-in with a code": figures(TwoFactorSignIn.explorer),
            "favourite": figures(Favourite.explorer),
            "paging": figures(Paging.explorer),
            "undo": figures(CircleDrawer.explorer),
            "stopwatch": figures(Stopwatch.explorer),
            "kitchen timer": figures(KitchenTimer.explorer),
            "flight": figures(FlightBooker.explorer),
            "optimistic list": figures(OptimisticList.explorer),
            "token refresh": figures(TokenRefresh.explorer),
            "download": figures(Download.explorer),
            "cart": figures(Cart.explorer),
        ]
        #expect(try page() == machines)
    }

    /// The steps of the counterexample, and the configurations when it is mended.
    private func figures<State, Event>(_ explorer: (Bool) -> Explorer<State, Event>) -> [String] {
        let found = explorer(false).explore(depth: 6).counterexample
        return ["\(found?.steps.count ?? 0)", "\(explorer(true).explore(depth: 30).configurations)"]
    }

    /// The same columns of the page, by the name of the machine.
    private func page() throws -> [String: [String]] {
        let path = "Sources/PromisedExploring/PromisedExploring.docc/RacesFound.md"
        let root = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent()
        }
        let rows = try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 7 && Int($0[3]) != nil }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], [$0[3], $0[4]]) })
    }
}
