import Foundation
import Promise

@main
enum PromiseLeaks {
    static let help = """
        promise-leaks [--rounds N | --cases N]
            puts every operator and observer onto promises of every fate and checks that nothing stays:
            each once, so that something outside can look for leaks at the end; in N rounds of all cases; or
            in N cases, all in turn. After rounds and cases the memory in use may not have grown
        """

    @MainActor static func main() {
        // The walk produces unhandled errors on purpose.
        PromiseDiagnostics.handler = { _ in }
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.isEmpty {
                try Walk.once()
                print("\(Step.all.count) steps on promises of \(Fate.all.count) fates: nothing stayed.")
            } else if arguments.count == 2, let unit = arguments.first,
                ["--rounds", "--cases"].contains(unit), let count = arguments.last.flatMap({ Int($0) }),
                count > 0
            {
                try Walk.repeated(unit == "--rounds" ? count * Case.all.count : count)
            } else {
                print(help)
                exit(2)
            }
        } catch {
            let message = (error as? Leak)?.message ?? "\(error)"
            print("LEAK: \(message)")
            exit(1)
        }
    }
}
