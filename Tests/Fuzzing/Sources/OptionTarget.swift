import Foundation

/// The command line: arguments with zero bytes between them, and a script of events.
enum OptionTarget {
    static func check(_ input: [UInt8]) {
        let pieces = input.split(separator: 0, omittingEmptySubsequences: false)
        let arguments = pieces.map { String(decoding: $0, as: UTF8.self) }
        let outcome = described(arguments)
        expect(outcome == described(arguments), "parsing is deterministic")
        expect(outcome == described(detached(arguments)), "--name=value is --name value: \(arguments)")
        expect(described(["--help"] + arguments) == "help", "help wins")
        if let script = try? Script(String(decoding: input, as: UTF8.self)) {
            let again = script.words.map(\.rawValue).joined(separator: ",")
            expect((try? Script(again)) == script, "a list of events is read again")
        }
    }

    private static func described(_ arguments: [String]) -> String {
        do {
            let options = try Options(arguments: arguments)
            if options.text == Help.text { return "help" }
            checkBounds(options)
            return "\(options)"
        } catch {
            let line = "\(error)"
            expectVisible(line)
            var isUsage = false
            if case PageError.usage = error { isUsage = true }
            expect(isUsage && !line.isEmpty, "a mistake is one of usage: \(error)")
            return line
        }
    }

    private static func checkBounds(_ options: Options) {
        expect(options.timeout > .zero && options.timeout <= .seconds(3600), "a timeout within bounds")
        expect(options.latency >= .zero && options.latency <= .seconds(600), "a latency within bounds")
        expect((0...1).contains(options.failRate), "a rate is one")
        expect(options.events != .script(Script()), "a script has an event")
        if let every = options.every {
            expect(every >= .seconds(1) && every <= .seconds(604_800), "a time within bounds")
        }
        if let below = options.below { expect(below > 0, "a price above zero") }
    }

    /// The same with each value in an argument of its own, where that means the same.
    private static func detached(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var isValue = false
        for (index, argument) in arguments.enumerated() {
            if argument == "--", !isValue { return result + arguments[index...] }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            let option = name.hasPrefix("--") ? CommandLineOption.all.first { $0.flag == name } : nil
            let takesValue = option?.placeholder != nil
            // Help takes precedence even in the place of a value.
            if parts.count == 2, takesValue, !parts[1].hasPrefix("--"), parts[1] != "-h" {
                result += [name, String(parts[1])]
            } else {
                result.append(argument)
            }
            isValue = takesValue && parts.count == 1
        }
        return result
    }
}
