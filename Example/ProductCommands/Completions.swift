/// The completion of our options in bash.
///
/// ```
/// product-page --completions bash > ~/.local/share/bash-completion/completions/product-page
/// ```
enum Completions {
    static let bash =
        """
        # Completes product-page in bash.
        _product_page() {
            local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
            COMPREPLY=()
            # The shell takes --name=value apart.
            if [[ $word == = ]]; then word=
            elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
            case $before in
        \(values)
            esac
            if [[ $word == -* ]]; then
                COMPREPLY=($(compgen -W '\(CommandLineOption.all.map(\.flag).joined(separator: " "))' -- "$word"))
            else
                mapfile -t COMPREPLY < <(compgen -f -W 'watch replay report' -- "$word")
            fi
        }
        complete -o filenames -F _product_page product-page
        """

    private static var values: String {
        CommandLineOption.all.filter { $0.placeholder != nil }
            .map { "        \($0.flag)) \($0.valueCompletion)return ;;" }.joined(separator: "\n")
    }
}

extension CommandLineOption {
    /// The command that completes its value.
    fileprivate var valueCompletion: String {
        switch values {
        case .anything: return ""
        case .file: return #"mapfile -t COMPREPLY < <(compgen -f -- "$word"); "#
        case .choice(let words):
            return #"COMPREPLY=($(compgen -W '\#(words.joined(separator: " "))' -- "$word")); "#
        case .list(let words):
            // The part behind the last comma is completed, and the rest kept.
            return #"local kept=; [[ $word == *,* ]] && kept=${word%,*},; "#
                + #"COMPREPLY=($(compgen -P "$kept" -W '\#(words.joined(separator: " "))' -- "${word##*,}")); "#
        }
    }
}
