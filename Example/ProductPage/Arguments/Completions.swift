/// Scripts that teach a shell our options.
///
/// ```
/// product-page --completions bash > ~/.local/share/bash-completion/completions/product-page
/// product-page --completions zsh > "${fpath[1]}/_product-page"
/// product-page --completions fish > ~/.config/fish/completions/product-page.fish
/// ```
enum Completions {
    static func script(_ shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static let bash = """
        # Completes product-page in bash.
        _product_page() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            COMPREPLY=()
            # The shell takes --name=value apart.
            if [[ $word == = ]]; then word=
            elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
            case $before in
        \(OptionRow.all.compactMap(bashCase).joined(separator: "\n"))
            esac
            if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W '\(OptionRow.all.map(\.flag).joined(separator: " "))' -- "$word"))
            else
                mapfile -t COMPREPLY < <(compgen -f -W watch -- "$word")
            fi
        }
        complete -o filenames -F _product_page product-page
        """

    private static func bashCase(_ option: OptionRow) -> String? {
        let reply =
            switch option.values {
            case .none: ""
            case .anything: ""
            case .file: #"mapfile -t COMPREPLY < <(compgen -f -- "$word")"#
            case .choice(let words):
                #"COMPREPLY=($(compgen -W '\#(words.joined(separator: " "))' -- "$word"))"#
            case .list(let words):
                // The part behind the last comma is completed, and the rest kept.
                #"local kept=; [[ $word == *,* ]] && kept=${word%,*},; "#
                    + #"COMPREPLY=($(compgen -P "$kept" -W '\#(words.joined(separator: " "))' -- "${word##*,}"))"#
            }
        if option.values == .none { return nil }
        return "        \(option.flag)) \(reply.isEmpty ? "" : reply + "; ")return ;;"
    }

    private static let zsh = """
        #compdef product-page
        # Completes product-page in zsh.
        _arguments \\
        \(OptionRow.all.map { "    \(zshArgument($0)) \\" }.joined(separator: "\n"))
            '1:source:{_files; compadd watch}' '2:source:_files'
        """

    private static func zshArgument(_ option: OptionRow) -> String {
        let name = option.placeholder.map { $0.lowercased() } ?? ""
        let action =
            switch option.values {
            case .none: ""
            case .anything: ":\(name): "
            case .file: ":\(name):_files"
            case .choice(let words): ":\(name):(\(words.joined(separator: " ")))"
            case .list(let words): ":\(name):_sequence compadd - \(words.joined(separator: " "))"
            }
        let equals = option.placeholder == nil ? "" : "="
        return "'\(option.flag)\(equals)[\(option.summary)]\(action)'"
    }

    private static let fish = """
        # Completes product-page in fish.
        complete -c product-page -n __fish_use_subcommand -a watch -d 'watch the price'
        \(OptionRow.all.map(fishLine).joined(separator: "\n"))
        """

    private static func fishLine(_ option: OptionRow) -> String {
        let values =
            switch option.values {
            case .none: ""
            case .anything: " -x"
            case .file: " -r -F"
            case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
            case .list(let words): " -x -a '(__fish_append , \(words.joined(separator: " ")))'"
            }
        return "complete -c product-page -l \(option.name) -d '\(option.summary)'\(values)"
    }
}
