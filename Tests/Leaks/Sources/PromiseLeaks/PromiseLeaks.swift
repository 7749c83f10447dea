import Foundation

@main
enum PromiseLeaks {
    static let help = """
        promise-leaks [--rounds N]
            puts every operator and observer onto promises of every fate and checks that nothing stays:
            once, so that something outside can look for leaks at the end, or in N rounds, after which the
            memory in use may not have grown
        """

    @MainActor static func main() {
        // Errors that nobody looks at are part of the walk, and their lines on standard error are of no use.
        // A leak is told on standard output.
        dup2(open("/dev/null", O_WRONLY), 2)
        let arguments = CommandLine.arguments.dropFirst()
        do {
            if arguments.isEmpty {
                try Walk.once()
                print("\(Step.all.count) steps on promises of \(Fate.all.count) fates: nothing stayed.")
            } else if arguments.count == 2, arguments.first == "--rounds",
                let rounds = arguments.last.flatMap({ Int($0) }), rounds > 0
            {
                try Walk.repeated(rounds)
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
