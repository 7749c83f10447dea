import Foundation
import ProductReading
import PromisedSystem
import ToolSupport

@main
struct Main {
    static func main() async {
        FetchProcess.runIfAsked(CommandLine.arguments)
        Console.replaceClosedStreams()
        let listening = Signals.endProcess(SIGINT, SIGTERM)
        // A page may take its time: `--timeout` is what bounds it, and the one line that says so is enough.
        PromiseDiagnostics.handler = { report in
            if case SystemProblem.longTransition = report.problem { return }
            Console.standard.report("\(report)".visible)
        }
        let code = await Tool(environment: .process).run(Array(CommandLine.arguments.dropFirst()))
        withExtendedLifetime(listening) { exit(code) }
    }
}
