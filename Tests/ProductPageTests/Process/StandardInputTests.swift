import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct StandardInputTests {
    private let lamp = "Ålesund desk lamp, 129.90 EUR, cart"

    @Test("--events - takes events from standard input: several a line, in any case, empty lines skipped")
    func lines() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(
            ["--latency", "0", "--events", "-"], input: .text("load, ADD\n\n  wait\r\nremove"))
        #expect(
            outcome.lines == [
                "start", "loading", "loaded: \(lamp) 0", "loading", "added: \(lamp) 1", "loading",
                "removed: \(lamp) 0",
            ])
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
    }

    @Test("an empty standard input is a script of nothing")
    func empty() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(["--events", "-"])
        #expect(outcome == Outcome(code: 0, output: "start\n", errors: ""))
    }

    @Test("events are taken as their lines come, and states are shown while the input is still open")
    func asTheyCome() async throws {
        let home = try TemporaryFolder()
        let (input, output) = (Channel(), Channel())
        let outcome = try await ToolRun(in: home).run(
            ["--latency", "0", "--events", "-"], input: .handle(input.reading), output: output.writing
        ) { _ in
            // What the program holds now is its own: the pipes end when it does.
            input.closeReading()
            output.closeWriting()
            Thread.detachNewThread {
                input.write("load\n")
                while let line = output.readLine() {
                    if line.hasPrefix("loaded") { input.write("add\n") }
                    if line.hasPrefix("added") { input.closeWriting() }
                }
                output.closeReading()
            }
        }
        #expect(outcome.code == 0)
        #expect(outcome.errors == "")
        let cart = try CartFile(path: home.file("state/product-page/cart.json")).load()
        #expect(cart.count == 1)
    }

    @Test("an unknown event ends it, after what was sent before, and with the line's number")
    func unknownEvent() async throws {
        let home = try TemporaryFolder()
        let outcome = try await ToolRun(in: home).run(
            ["--latency", "1", "--events", "-"], input: .text("load\nadd\nnext,remov\nadd\n"))
        #expect(
            outcome.lines == ["start", "loading", "loaded: \(lamp) 0", "loading", "added: \(lamp) 1"])
        #expect(
            outcome.errors
                == "product-page: standard input, line 3: unknown event 'remov'; did you mean remove?\n")
        #expect(outcome.code == 64)
    }

    @Test("otherwise standard input is not read: its end is never waited for, and what is in it stays")
    func untouched() async throws {
        let home = try TemporaryFolder()
        let input = Channel()
        input.write("load\n")
        for arguments in [
            ["--latency", "0"], ["--latency", "0", "--events", "load,wait"], ["--list", "--latency=0"],
        ] {
            let outcome = try await ToolRun(in: home).run(arguments, input: .handle(input.reading))
            #expect(outcome.code == 0)
        }
        input.closeWriting()
        #expect(input.readLine() == "load")
        #expect(input.readLine() == nil)
        input.closeReading()
    }

    @Test("SOURCE - is standard input, read once, and not together with --events -")
    func source() async throws {
        let home = try TemporaryFolder()
        let tea = ToolRun.Input.text(#"{"@type":"Product","name":"Tea"}"#)
        let shown = try await ToolRun(in: home).run(["-"], input: tea)
        #expect(shown.lines == ["Tea", "  Price:        no price given", "  Id:           Tea"])
        let script = try await ToolRun(in: home).run(["--events", "load,add,refresh", "-"], input: tea)
        #expect(script.lines.last == "loaded: Tea, no price given, cart 1")
        try await expectFailure("-", code: 66, saying: "standard input: is empty")
        try await expectFailure(
            "-", "--events", "-", code: 64,
            saying: "SOURCE and --events cannot both be standard input; put one of them into a file")
    }
}
