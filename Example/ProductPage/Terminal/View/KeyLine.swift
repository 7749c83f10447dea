/// The keys that matter now, as many as a line has room for.
enum KeyLine {
    static func line(_ state: ProductPage.State, _ panel: Presentation.Panel, _ columns: Int) -> Line {
        var wanted: [KeyCommand] = [.quit, .help]
        if state.isLoading { wanted.append(.cancel) }
        wanted += state.page == nil ? [.refresh] : [.add, .remove, .next, .previous, .cart, .refresh]
        // The most important find room first; they stand in the order in which they always do.
        var kept: Set<KeyCommand> = []
        for command in wanted {
            guard line(of: kept.union([command]), panel).width <= columns else { break }
            kept.insert(command)
        }
        return line(of: kept, panel)
    }

    private static func line(of commands: Set<KeyCommand>, _ panel: Presentation.Panel) -> Line {
        KeyCommand.allCases.filter(commands.contains).reduce(Line()) { line, command in
            line.adding(line.spans.isEmpty ? "" : "  ").adding(command.keys[0].name, .key)
                .adding(" " + name(command, panel))
        }
    }

    /// A key that opens a panel also closes it.
    private static func name(_ command: KeyCommand, _ panel: Presentation.Panel) -> String {
        switch (command, panel) {
        case (.cart, .cart), (.help, .help): "back"
        default: command.name
        }
    }
}

extension ProductPage.State {
    var isLoading: Bool { if case .loading = self { true } else { false } }
}
