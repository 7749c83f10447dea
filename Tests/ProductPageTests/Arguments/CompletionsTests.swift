import Foundation
import Testing

@testable import ProductPage

@Suite struct CompletionsTests {
    @Test("every option is in every script, and its words are", arguments: Shell.allCases)
    func complete(shell: Shell) {
        let script = Completions.script(shell)
        for option in OptionRow.all {
            #expect(script.contains(shell == .fish ? "-l \(option.name) " : option.flag))
            if shell != .bash { #expect(script.contains(option.summary)) }
            switch option.values {
            case .choice(let words), .list(let words):
                #expect(script.contains(words.joined(separator: " ")))
            case .none, .anything, .file: break
            }
        }
        // It stands in single quotes, and for zsh between brackets and colons.
        #expect(OptionRow.all.allSatisfy { !$0.summary.contains { "'[]:\\".contains($0) } })
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
        let home = try TemporaryFolder()
        try home.write("{}", to: "shop.json")
        try home.write("{}", to: "my shop.json")
        try home.write(Completions.script(.bash), to: "script")
        let script = #"""
            source ./script; COMP_WORDS=(product-page "$@"); COMP_CWORD=$#; _product_page
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        #expect(try output(["/bin/bash", "-c", script, "bash"] + words, in: home) == expected)
    }

    @Test("the other shells find no mistake in their scripts", arguments: [Shell.zsh, .fish])
    func others(shell: Shell) throws {
        let path = "/usr/bin/\(shell)"
        // Where there is such a shell.
        guard FileManager.default.isExecutableFile(atPath: path) else { return }
        let home = try TemporaryFolder()
        try home.write(Completions.script(shell), to: "script")
        #expect(try output([path, "-n", "script"], in: home) == [])
    }

    private func output(_ command: [String], in home: borrowing TemporaryFolder) throws -> [String] {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(filePath: home.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
