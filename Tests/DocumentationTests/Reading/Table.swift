/// The tables of a page.
enum Table {
    /// The cells of every line of every table, heads included.
    static func rows(of page: String) throws -> [[Substring]] {
        try Package.text(page).split(separator: "\n").filter { $0.hasPrefix("|") && !$0.hasPrefix("|---") }
            .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
    }

    /// What a cell shows as code.
    static func code(in cell: Substring) -> [String] {
        cell.matches(of: #/`+([^`]+)`+/#).map { String($0.1) }
    }

    /// The names in a piece of code.
    static func words(_ text: some StringProtocol) -> [String] {
        String(text).matches(of: #/[A-Za-z]\w*/#).map { String($0.output) }
    }
}
