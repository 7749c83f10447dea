import ProductReading
import ToolSupport

/// The texts of `--help` and `--version`.
package enum Help {
    package static let version = "product-page \(Version.current)"

    /// A terminal of the customary size holds it, and the prompt below.
    static let text =
        """
        Examples:
          product-page                             a catalogue to try; ? shows the keys
          product-page https://example.com/lamp    a shop's own page
          product-page --events load,add,wait      a script; - is standard input
          product-page watch lamp.html --below 99  until it costs less

        Usage: product-page [watch] [SOURCE] [options], replay FILE... or report FILE
        SOURCE is a file, an http(s) address, or - for standard input: a page or JSON.

        """ + options + """
            Exit codes: 0 done, 1 failed, 64 wrong usage, 66 no file or product,
            69 unreachable; on a signal: 129 HUP, 130 INT, 131 QUIT, 141 PIPE, 143 TERM.
            """

    /// A line for each that takes a value; the others are short and stand in pairs.
    private static var options: String {
        var (lines, trying, flags) = ([String](), "", [String]())
        for option in CommandLineOption.all {
            switch (option.placeholder, option.isForTrying) {
            case (nil, _): flags.append("\(option.flag.padded(to: 11))\(option.summary)")
            case (let value?, true): trying += "\(option.flag) \(value) "
            case (let value?, false):
                lines.append("\("\(option.flag) \(value)".padded(to: 22))\(option.summary)")
            }
        }
        lines.append("\(trying) try slow answers, and failures")
        for place in stride(from: 0, to: flags.count, by: 2) {
            lines.append(flags[place].padded(to: 38) + flags[place + 1])
        }
        return lines.map { "  \($0)\n" }.joined()
    }
}
