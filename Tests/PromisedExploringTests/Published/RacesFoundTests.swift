import Foundation
import PromisedExploring
import Testing

/// The table of the page "Races that it finds" has what is found.
@Suite struct RacesFoundTests {
    @Test("the page states the steps and the configurations of each machine", arguments: Machine.all)
    func row(of machine: Machine) throws {
        #expect(try page()[machine.name] == machine.figures())
    }

    @Test("the page lists each machine")
    func table() throws {
        #expect(try Set(page().keys) == Set(Machine.all.map(\.name)))
    }

    /// The steps of the counterexamples, and the configurations of the mended machines, by name.
    private func page() throws -> [String: [Int?]] {
        let path = "Sources/PromisedExploring/PromisedExploring.docc/RacesFound.md"
        let root = (0..<4).reduce(URL(filePath: #filePath)) { folder, _ in folder.deletingLastPathComponent()
        }
        let rows = try String(contentsOf: root.appending(path: path), encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
            .filter { $0.count == 7 && Int($0[3]) != nil }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], [Int($0[3]), Int($0[4])]) })
    }

    struct Machine: Sendable, CustomTestStringConvertible {
        let name: String
        let figures: @Sendable () -> [Int?]

        var testDescription: String { name }

        init<State, Event>(
            _ name: String, _ explorer: @escaping @Sendable (_ isMended: Bool) -> Explorer<State, Event>
        ) {
            self.name = name
            figures = {
                [
                    explorer(false).explore(depth: 6).counterexample?.steps.count,
                    explorer(true).explore(depth: 30).configurations,
                ]
            }
        }

        static let all = [
            Machine("search as you type", SearchAsYouType.explorer),
            Machine("sign-in with a code", TwoFactorSignIn.explorer),
            Machine("favourite", Favourite.explorer),
            Machine("paging", Paging.explorer),
            Machine("undo", CircleDrawer.explorer),
            Machine("stopwatch", Stopwatch.explorer),
            Machine("kitchen timer", KitchenTimer.explorer),
            Machine("flight", FlightBooker.explorer),
            Machine("optimistic list", OptimisticList.explorer),
            Machine("token refresh", TokenRefresh.explorer),
            Machine("download", Download.explorer),
            Machine("cart", Cart.explorer),
        ]
    }
}
