import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import PromisedExploring

/// Failures are stored, and tried first next time.
@Suite struct RegressionTests {
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "regressions-\(UUID())")
            .path(percentEncoded: false)
        var file: String { path + "/Stored/saving.json" }
        var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }

        func write(_ text: String) throws {
            let folder = URL(filePath: file).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test("a failure is stored once, tried first until it is mended, and kept then")
    func stored() throws {
        let folder = Folder()
        let found = try #require(Saving.explorer(.keepsSpinner).explore(depth: 4).counterexample)
        #expect(
            failures { Saving.explorer(.keepsSpinner).check(depth: 4, regressions: folder.file) } == [
                "\(found)\n\nIt was stored in \(folder.file), and is tried first next time."
            ])
        let text = try #require(folder.text)
        #expect(text.hasPrefix("[\n  {\n    \"format\" : \"PromisedExploring trace\",\n"))

        var again: Exploration<Saving.State, Saving.Event>?
        let texts = failures {
            again = Saving.explorer(.keepsSpinner).check(depth: 4, regressions: folder.file)
        }
        let report = found.description.prefix { $0 != "R" }
        #expect(
            texts == [
                """
                \(report)This failure is stored in \(folder.file), and was tried first; nothing else was. Fix the \
                system, or remove the trace from the file if the property may be violated so.
                """
            ])
        #expect(again?.counterexample?.steps == found.steps)
        #expect(again?.transitions == 0)
        #expect(again?.gaps == [.violation])

        #expect(Saving.explorer().check(depth: 4, regressions: folder.file).counterexample == nil)
        #expect(folder.text == text)
    }

    @Test("a further failure is stored behind the others, one with the same steps is not")
    func further() throws {
        let folder = Folder()
        _ = failures { Saving.explorer(.keepsSpinner).check(depth: 4, regressions: folder.file) }
        _ = failures { Saving.explorer(.neverAnswers).check(depth: 4, regressions: folder.file) }
        let two = try #require(folder.text)
        #expect(two.matches(of: #/"version"/#).count == 2)
        _ = failures { Saving.explorer(.neverAnswers).check(walks: 9, length: 20, regressions: folder.file) }
        #expect(folder.text == two)
    }

    @Test("the failure of a random walk is stored, and tried first")
    func walks() throws {
        let folder = Folder()
        let explorer = Saving.explorer(.keepsSpinner)
        let first = failures { explorer.check(walks: 50, length: 40, seed: 3, regressions: folder.file) }
        #expect(first.count == 1 && first[0].contains("stored in \(folder.file)"))
        #expect(first.first?.contains("Found by a random walk with seed ") == true)
        var walks = RandomWalks<Saving.State, Saving.Event>?.none
        let second = failures {
            walks = explorer.check(walks: 50, length: 40, seed: 3, regressions: folder.file)
        }
        #expect(second.count == 1 && second[0].contains("was tried first"))
        #expect(walks?.walks == 0 && walks?.counterexample?.steps.count == 2)
    }

    @Test(
        "a file that cannot be read is named and never changed, and the exploration goes on",
        arguments: [
            ("tea", "it is no trace in JSON: The given data was not valid JSON"),
            (
                #"[{"format": "PromisedExploring trace", "version": 7, "steps": []}]"#,
                "it has version 7 of the format, and this package reads version 1"
            ),
        ])
    func unreadable(text: String, problem: String) throws {
        let folder = Folder()
        try folder.write(text)
        let found = try #require(Saving.explorer(.keepsSpinner).explore(depth: 4).counterexample)
        #expect(
            failures { Saving.explorer(.keepsSpinner).check(depth: 4, regressions: folder.file) } == [
                """
                The stored failures cannot be tried: \(problem).

                The file is \(folder.file). It was not changed. Mend it, or remove what is out of date.
                """,
                "\(found)\n\nIt could not be stored in \(folder.file), which was not changed: \(problem).",
            ])
        #expect(folder.text == text)
    }

    @Test("a file that cannot be written is named, with the reason")
    func unwritable() throws {
        let folder = Folder()
        try folder.write("[]")
        let path = folder.file + "/below.json"
        let found = try #require(Saving.explorer(.keepsSpinner).explore(depth: 4).counterexample)
        #expect(
            failures { Saving.explorer(.keepsSpinner).check(depth: 4, regressions: path) } == [
                "\(found)\n\nIt could not be stored in \(path), which was not changed: File exists."
            ])
    }

    @Test("a stored trace that the machine has outgrown is named, and the others are tried")
    func outgrown() throws {
        let folder = Folder()
        func trace(_ steps: String) -> String {
            #"{"format": "PromisedExploring trace", "version": 1, "steps": [\#(steps)]}"#
        }
        try folder.write(
            "[" + trace(#"{"send": ".drop"}"#) + "," + trace(#"{"answer": "tape", "outcome": "done"}"#) + ","
                + trace(#"{"send": ".save"}, {"answer": "disk", "outcome": "disk full"}"#) + "]")
        let reports = TestReport.collect {
            Saving.explorer(.keepsSpinner).check(depth: 4, regressions: folder.file)
        }
        let way =
            "\n\nThe file is \(folder.file). It was not changed. Mend it, or remove what is out of date."
        #expect(reports.map(\.kind) == [.failure, .note, .failure])
        #expect(
            reports.map(\.message).prefix(2) == [
                "Trace 1 of the stored failures cannot be tried: step 1 sends .drop, which is none of the explorer's "
                    + "events: .save, .cancel.\(way)",
                "Trace 2 of the stored failures is not possible any more: step 1, .answer(\"tape\", \"done\").\(way)",
            ])
        #expect(reports.last?.message.contains("was tried first") == true)
    }

    @Test("a path is absolute, or relative to the folder of the test's source file")
    func paths() {
        #expect(
            RegressionFile("Stored/a b.json", beside: "/tests/of/T.swift").path == "/tests/of/Stored/a b.json"
        )
        #expect(RegressionFile("../a.json", beside: "/tests/of/T.swift").path == "/tests/a.json")
        #expect(RegressionFile("/tmp/a.json", beside: "/tests/of/T.swift").path == "/tmp/a.json")
    }
}
