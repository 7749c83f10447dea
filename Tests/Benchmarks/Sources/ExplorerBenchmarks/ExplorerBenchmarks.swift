import Foundation
import PromisedTesting

@main
enum ExplorerBenchmarks {
    static func main() {
        let clock = ContinuousClock()
        for depth in 2...(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10) {
            let start = clock.now
            let exploration = Counters.explorer().explore(depth: depth)
            let time = clock.now - start
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            print(
                depth, exploration.configurations, exploration.paths, exploration.transitions,
                exploration.inferredTransitions, exploration.steps,
                Int(Double(exploration.transitions) / seconds), Int(Double(exploration.steps) / seconds),
                seconds)
        }
    }
}
