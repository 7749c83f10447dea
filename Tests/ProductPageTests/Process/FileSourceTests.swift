import Foundation
import Testing

@testable import ProductPage

@Suite(.timeLimit(.minutes(10))) struct FileSourceTests {
    private let lamp = #"{"@context":"https://schema.org","@type":"Product","sku":"L","name":"Lamp"}"#

    @Test("a file is shown, by path and by file: address")
    func good() async throws {
        let home = try TemporaryFolder()
        try home.write(lamp, to: "lamp.json")
        try home.write("<p>Hi<script type='application/ld+json'>\(lamp)</script>", to: "a page.html")
        for source in [
            "lamp.json", home.file("lamp.json"), "file://" + home.file("lamp.json"), "a page.html",
        ] {
            let outcome = try await ToolRun(in: home).run(source)
            #expect(outcome == Outcome(code: 0, output: page, errors: ""))
        }
    }

    @Test("a script adds to the cart what a file sells, without the pretended latency")
    func script() async throws {
        let home = try TemporaryFolder()
        try home.write(lamp, to: "lamp.json")
        let outcome = try await ToolRun(in: home).run(
            "lamp.json", "--latency", "600000", "--fail-rate", "1", "--events", "load,add")
        #expect(outcome.lines.last == "added: Lamp, no price given, cart 1")
        #expect(outcome.code == 0)
    }

    @Test("a file that is not there, or is none")
    func missing() async throws {
        try await expectFailure("gone.json", code: 66, saying: "gone.json: no such file")
        try await expectFailure("no/gone.json", code: 66, saying: "no/gone.json: no such file")
        try await expectFailure(".", code: 66, saying: ".: is a directory")
        try await expectFailure(
            "cart.json/x", code: 66, saying: "cart.json/x: a part of the path is not a directory")
    }

    @Test("a link that leads nowhere or round in a circle")
    func links() async throws {
        let folder = try TemporaryFolder()
        let (nowhere, circle) = (folder.file("nowhere"), folder.file("circle"))
        try FileManager.default.createSymbolicLink(
            atPath: nowhere, withDestinationPath: folder.file("gone"))
        try FileManager.default.createSymbolicLink(atPath: circle, withDestinationPath: circle)
        try await expectFailure(nowhere, code: 66, saying: "\(nowhere): no such file")
        try await expectFailure(circle, code: 66, saying: "\(circle): too many symbolic links")
    }

    @Test("a pipe without a writer is given up when the time is over")
    func silentPipe() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        try await expectFailure(path, "--timeout", "0.3", code: 69, saying: "\(path): no answer within 0.3 s")
    }

    @Test("one with a writer is read to its end")
    func pipe() async throws {
        let home = try TemporaryFolder()
        try home.write(lamp, to: "lamp.json")
        try #require(mkfifo(home.file("pipe"), 0o600) == 0)
        let outcome = try await ToolRun(in: home, after: "cat lamp.json > pipe & true").run("pipe")
        #expect(outcome == Outcome(code: 0, output: page, errors: ""))
    }

    #if os(Linux)
        @Test("a file that opens and cannot be read, even by root")
        func unreadable() async throws {
            try await expectFailure(
                "/proc/self/mem", code: 66, saying: "/proc/self/mem: Input/output error")
        }
    #endif

    @Test("a file without permission to read it", .enabled(if: getuid() != 0, "root reads everything"))
    func forbidden() async throws {
        let folder = try TemporaryFolder()
        try folder.write(lamp, to: "lamp.json")
        let path = folder.file("lamp.json")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        try await expectFailure(path, code: 66, saying: "\(path): permission denied")
    }

    @Test(
        "content that is no product",
        arguments: [
            ("", "is empty"),
            (" \n", "is empty"),
            ("{,}", "no schema.org Product in it"),
            (#"{"@type":"Product","#, "not valid JSON at line 1, column 20: "),
            (#"{"@type":"Product","name":"La"#, "not valid JSON at line 1, column "),
            ("\n\n  nonsense", "not valid JSON at line 3, column 3: "),
            (#"{"@type":"Recipe","name":"Soup"}"#, "no schema.org Product in it"),
            (
                "<html><p>Hello</p></html>",
                "no schema.org Product: the page has no JSON-LD, microdata or RDFa"
            ),
            (
                "<html><script type='application/ld+json'>{]</script>",
                "no schema.org Product in the page; script 1 is not valid JSON at line 1, column 43: "
            ),
        ])
    func noProduct(content: String, reason: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(content, to: "data")
        try await expectFailure(folder.file("data"), code: 66, beginning: "\(folder.file("data")): \(reason)")
    }

    @Test("what a file calls itself reaches no terminal as it is")
    func hostileName() async throws {
        try await expectFailure(
            "a\u{1B}[2J\nb", code: 66, saying: "a\u{FFFD}[2J b: no such file")
    }

    private let page = """
        Lamp
          Price:        no price given
          Id:           L

        """
}
