import Foundation
import TestSupport
import Testing

@testable import ProductCommands
@testable import ProductPage

@Suite(.tags(.noSharedState)) struct CompletionsTests {
    @Test("every option is in the script, and its words are")
    func complete() {
        let script = Completions.bash
        for option in CommandLineOption.all {
            #expect(script.contains(option.flag))
            switch option.values {
            case .choice(let words), .list(let words):
                #expect(script.contains(words.joined(separator: " ")))
            case .anything, .file: break
            }
        }
    }

    @Test(
        "bash completes options, words, the parts of a list, and files",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
        arguments: [
            (["--co"], ["--color", "--completions"]), (["--color", "a"], ["auto", "always"]),
            (["--color", "=", "ne"], ["never"]), (["--completions", ""], ["bash"]),
            (["--events", "load,re"], ["load,remove", "load,refresh"]), (["--events", "wa"], ["wait"]),
            (["--events", "load,add,ne"], ["load,add,next"]),
            (["--list", "sho"], ["shop.json"]), (["--cart", "sho"], ["shop.json"]), (["--seed", "1"], []),
            (["my"], ["my shop.json"]), (["--cart", "my"], ["my shop.json"]), (["no"], []),
        ] as [([String], [String])])
    func bash(words: [String], expected: [String]) throws {
        let home = try TemporaryFolder([
            "shop.json": "{}", "my shop.json": "{}", "script": Completions.bash,
        ])
        let script = #"""
            source ./script; COMP_WORDS=(product-page "$@"); COMP_CWORD=$#; _product_page
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let reply = try BuiltTool.output(of: ["/bin/bash", "-c", script, "bash"] + words, in: home.path)
        #expect(reply.code == 0 && reply.lines.filter { !$0.isEmpty } == expected)
    }
}
