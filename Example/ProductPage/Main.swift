import Foundation
import PromisedSystem

@main
struct Main {
    static func main() async {
        Fetch.runIfAsked(CommandLine.arguments)
        StandardStreams.fill()
        let interruption = Interruption.listen()
        // A page may take its time: `--timeout` is what bounds it, and the one line that says so is enough.
        PromiseDiagnostics.handler = { report in
            if case SystemProblem.longTransition = report.problem { return }
            Console.standard.talk("product-page: \(report)".visible)
        }
        let code = await Tool(surroundings: .process).run(Array(CommandLine.arguments.dropFirst()))
        withExtendedLifetime(interruption) { exit(code) }
    }
}
