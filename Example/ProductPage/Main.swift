import Foundation
import PromisedSystem

@main
struct Main {
    static func main() async {
        Fetch.runIfAsked(CommandLine.arguments)
        // A standard stream that was closed before the start gets a stand-in that can only be read. The next file to
        // be opened would get its number otherwise, and with it what is meant for the stream.
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
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
