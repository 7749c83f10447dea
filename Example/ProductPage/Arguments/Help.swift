/// What `--help` and `--version` print.
enum Help {
    static let version = "product-page 0.1.0"

    /// A terminal of the customary size holds it, and the prompt below.
    static let text =
        """
        Examples:
          product-page                             a catalogue to try; ? shows the keys
          product-page https://example.com/lamp    a shop's own page
          product-page --events load,add,wait      a script; - is standard input
          product-page watch lamp.html --below 99  until it costs less

        Usage: product-page [watch] [SOURCE] [options]
        SOURCE is a file, an http(s) address, or - for standard input: a page or JSON.

        """ + options + """
            Exit codes: 0 done, 1 failed, 64 wrong usage, 66 no file or product,
            69 unreachable; on a signal: 129 HUP, 130 INT, 131 QUIT, 141 PIPE, 143 TERM.
            """

    /// A line for each that takes a value; the others are short and stand in pairs.
    private static var options: String {
        let alone = OptionRow.all.filter { $0.placeholder == nil }
        let valued = OptionRow.all.filter { $0.placeholder != nil }
        var lines = valued.filter { !$0.isForTrying }
            .map { "  \(($0.flag + " " + ($0.placeholder ?? "")).padded(to: 22))\($0.summary)\n" }
        let trying = valued.filter(\.isForTrying).map { "\($0.flag) \($0.placeholder ?? "")" }
        lines.append("  \(trying.joined(separator: " "))  try slow answers, and failures\n")
        let pairs = stride(from: 0, to: alone.count, by: 2).map { place in
            let pair = alone[place..<min(place + 2, alone.count)]
            let columns = pair.map { "\($0.flag.padded(to: 11))\($0.summary)" }
            return "  " + columns[0].padded(to: 40) + columns.dropFirst().joined() + "\n"
        }
        return (lines + pairs).joined()
    }
}

extension ScriptEvent {
    static var names: String { allCases.map(\.rawValue).joined(separator: " ") }
}

extension String {
    /// Followed by spaces up to `count` characters.
    func padded(to count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - self.count))
    }
}
