import Foundation
import PromisedExploring

/// Measures what it takes to save an exploration, and to resume it with another explorer.
enum Stored {
    static func line<State, Event>(
        _ name: String, _ depth: Int, _ make: (@escaping @Sendable () -> Void) -> Explorer<State, Event>
    ) {
        guard CommandLine.arguments.count == 1 || CommandLine.arguments.contains("stored") else { return }
        let path = NSTemporaryDirectory() + "explorer-benchmarks \(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            var found = make({}).explore(depth: 0)
            let explored = seconds { found = make({}).explore(depth: depth) { _ in } }
            let saved = try seconds { try found.save(to: path) }
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            var resumed = found
            let time = try seconds { resumed = try make({}).resume(from: path, .init(stepLimit: 0)) { _ in } }
            print(
                "| \(name) | \(depth) | \(resumed.configurations) | \(found.states.count) | \(text(explored)) | \(text(saved)) "
                    + "| \(size / 1_000) kB | \(size / resumed.configurations) | \(text(time)) |")
        } catch {
            print("\(name): \(error)")
        }
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        let time = ContinuousClock.now - start
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    private static func text(_ seconds: Double) -> String { "\(Int(seconds * 1_000)) ms" }
}
