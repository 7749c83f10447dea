/// Every key and what it does.
enum HelpPanel {
    static func lines(_ columns: Int) -> [Line] {
        let width = min(columns, ProductPanel.widestText)
        let column = width >= 40 ? 16 : 0
        var lines = [Line("Keys", .title), Line()]
        for command in KeyCommand.allCases {
            let keys = command.keys.map(\.name).joined(separator: " ")
            let text = command.purpose.wrapped(to: column > 0 ? width - column : width - 2)
            if column > 0 {
                let gap = String(repeating: " ", count: max(1, column - DisplayWidth.of(keys)))
                lines.append(Line(keys, .key).adding(gap + (text.first ?? "")))
            } else {
                lines.append(Line(keys, .key))
            }
            let indent = String(repeating: " ", count: max(2, column))
            lines += text.dropFirst(column > 0 ? 1 : 0).map { Line(indent + $0) }
        }
        return lines
    }
}
