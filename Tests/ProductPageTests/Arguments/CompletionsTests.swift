import Foundation
import TestSupport
import Testing

@testable import ProductPage

@Suite(.tags(.noSharedState)) struct CompletionsTests {
    @Test("every option is in every script, and its words are", arguments: Shell.allCases)
    func complete(shell: Shell) {
        let script = shell.completions
        for option in CommandLineOption.all {
            #expect(script.contains(shell == .fish ? "-l \(option.name) " : option.flag))
            if shell != .bash { #expect(script.contains(option.summary)) }
            switch option.values {
            case .choice(let words), .list(let words):
                #expect(script.contains(words.joined(separator: " ")))
            case .anything, .file: break
            }
        }
        // It stands in single quotes, and for zsh between brackets and colons.
        #expect(CommandLineOption.all.allSatisfy { !$0.summary.contains { "'[]:\\".contains($0) } })
    }

    @Test(
        "bash completes options, words, the parts of a list, and files",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
        arguments: [
            (["--co"], ["--color", "--completions"]), (["--color", "a"], ["auto", "always"]),
            (["--color", "=", "ne"], ["never"]), (["--completions", ""], ["bash", "zsh", "fish"]),
            (["--events", "load,re"], ["load,remove", "load,refresh"]), (["--events", "wa"], ["wait"]),
            (["--events", "load,add,ne"], ["load,add,next"]),
            (["--list", "sho"], ["shop.json"]), (["--cart", "sho"], ["shop.json"]), (["--seed", "1"], []),
            (["my"], ["my shop.json"]), (["--cart", "my"], ["my shop.json"]), (["no"], []),
        ] as [([String], [String])])
    func bash(words: [String], expected: [String]) throws {
        let home = try TemporaryFolder([
            "shop.json": "{}", "my shop.json": "{}", "script": Shell.bash.completions,
        ])
        let script = #"""
            source ./script; COMP_WORDS=(product-page "$@"); COMP_CWORD=$#; _product_page
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let reply = try BuiltTool.output(of: ["/bin/bash", "-c", script, "bash"] + words, in: home.path)
        #expect(reply.code == 0 && reply.lines.filter { !$0.isEmpty } == expected)
    }

    @Test("the other shells find no mistake in their scripts", arguments: [Shell.zsh, .fish])
    func others(shell: Shell) throws {
        let path = "/usr/bin/\(shell)"
        // Where there is such a shell.
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        let home = try TemporaryFolder(["script": shell.completions])
        let reply = try BuiltTool.output(of: [path, "-n", "script"], in: home.path)
        #expect(reply.code == 0 && reply.lines == [])
    }
}
