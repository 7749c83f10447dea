/// The shells that can complete our options.
///
/// ```
/// product-page --completions bash > ~/.local/share/bash-completion/completions/product-page
/// product-page --completions zsh > "${fpath[1]}/_product-page"
/// product-page --completions fish > ~/.config/fish/completions/product-page.fish
/// ```
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script that teaches the shell our options.
    var completions: String {
        switch self {
        case .bash:
            """
            # Completes product-page in bash.
            _product_page() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
                COMPREPLY=()
                # The shell takes --name=value apart.
                if [[ $word == = ]]; then word=
                elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                case $before in
            \(lines { $0.placeholder == nil ? nil : "        \($0.flag)) \($0.value.bash)return ;;" })
                esac
                if [[ $word == -* ]]; then
                    COMPREPLY=($(compgen -W '\(CommandLineOption.all.map(\.flag).joined(separator: " "))' -- "$word"))
                else
                    mapfile -t COMPREPLY < <(compgen -f -W watch -- "$word")
                fi
            }
            complete -o filenames -F _product_page product-page
            """
        case .zsh:
            """
            #compdef product-page
            # Completes product-page in zsh.
            _arguments \\
            \(lines { "    '\($0.flag)\($0.placeholder == nil ? "" : "=")[\($0.summary)]\($0.value.zsh)' \\" })
                '1:source:{_files; compadd watch}' '2:source:_files'
            """
        case .fish:
            """
            # Completes product-page in fish.
            complete -c product-page -n __fish_use_subcommand -a watch -d 'watch the price'
            \(lines { "complete -c product-page -l \($0.name) -d '\($0.summary)'\($0.value.fish)" })
            """
        }
    }

    private func lines(_ line: (CommandLineOption) -> String?) -> String {
        CommandLineOption.all.compactMap(line).joined(separator: "\n")
    }
}

extension CommandLineOption {
    /// What completes its value: a command of bash, the end of an argument of zsh, options of fish's `complete`.
    fileprivate var value: (bash: String, zsh: String, fish: String) {
        guard let name = placeholder?.lowercased() else { return ("", "", "") }
        switch values {
        case .anything: return ("", ":\(name): ", " -x")
        case .file:
            return (#"mapfile -t COMPREPLY < <(compgen -f -- "$word"); "#, ":\(name):_files", " -r -F")
        case .choice(let words):
            let words = words.joined(separator: " ")
            return (
                #"COMPREPLY=($(compgen -W '\#(words)' -- "$word")); "#, ":\(name):(\(words))",
                " -x -a '\(words)'"
            )
        case .list(let words):
            let words = words.joined(separator: " ")
            // The part behind the last comma is completed, and the rest kept.
            let bash =
                #"local kept=; [[ $word == *,* ]] && kept=${word%,*},; "#
                + #"COMPREPLY=($(compgen -P "$kept" -W '\#(words)' -- "${word##*,}")); "#
            return (bash, ":\(name):_sequence compadd - \(words)", " -x -a '(__fish_append , \(words))'")
        }
    }
}
