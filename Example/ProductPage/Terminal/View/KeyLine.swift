/// The keys that matter now, as many as a line has room for.
enum KeyLine {
    static func line(_ state: ProductPage.State, _ panel: Presentation.Panel, _ columns: Int) -> Line {
        var commands: [KeyCommand] = [.quit, .help]
        if state.isLoading { commands.append(.cancel) }
        commands += state.page == nil ? [.refresh] : [.add, .remove, .next, .previous, .cart, .refresh]
        var line = Line()
        for command in commands {
            let next = line.adding(line.spans.isEmpty ? "" : "  ")
                .adding(command.keys[0].name, .key).adding(" " + name(command, panel))
            if next.width > columns { break }
            line = next
        }
        return line
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
