import Foundation
import Testing

/// The names of tests, suites and their files, which `Tests/README.md` explains and other files refer to.
@Suite("Test names")
struct TestNamesTests {
    /// A file of a test target that declares tests.
    private struct SuiteFile {
        let path: String
        let text: String

        var target: Substring { path.split(separator: "/")[1] }

        /// Its name without ending, and without what follows a plus sign.
        var name: Substring { path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? "" }

        /// Whether it declares or extends the type whose name it has.
        var hasItsSuite: Bool {
            let declaration = #"\b(struct|class|enum|extension) \#(name)\b"#
            return text.range(of: declaration, options: .regularExpression) != nil
        }

        func has(tag: String) -> Bool { text.contains(".tags(.\(tag)") }
    }

    private static let files: [SuiteFile] = {
        let targets = Package.names(in: "Tests").filter { $0.hasSuffix("Tests") }
        return targets.flatMap { Package.swiftFiles(below: "Tests/\($0)") }.compactMap { path in
            guard let text = try? Package.text(path), text.contains("@Test") else { return nil }
            return SuiteFile(path: path, text: text)
        }
    }()

    /// The files by the name of their suite.
    private static let suites = Dictionary(grouping: files, by: \.name)

    @Test("every kind of id that a test's name begins with is in the legend, and none is an issue")
    func legend() throws {
        let legend = try Package.text("Tests/README.md")
        let ids = Self.files.flatMap { file in
            file.text.split(separator: /@(Test|Suite)\(/).dropFirst().flatMap { name in
                name.prefixMatch(of: #/\s*"((?:[A-Z][A-Za-z]*[ -]?\d[\d.]*(?:, )?)+):/#)?
                    .1.split(separator: ", ") ?? []
            }
        }
        let kinds = Set(ids.map { $0.prefix { !$0.isNumber } })
        #expect(kinds.isSuperset(of: ["PK-", "R"]))
        for kind in kinds {
            #expect(legend.contains("| `\(kind)"), "\(kind) is not in the legend")
        }
        #expect(kinds.isDisjoint(with: ["Issue ", "DESIGN ", "STYLE "]))
    }

    @Test("a file of tests has the name of a suite in it")
    func fileNames() {
        #expect(Self.files.count > 300)
        for file in Self.files {
            #expect(file.hasItsSuite, "\(file.path) has no type \(file.name)")
        }
    }

    @Test("every suite and test that a fault names exists")
    func faults() throws {
        let faults = "Tests/Faults/faults"
        let names = Package.names(in: faults).filter { $0.hasSuffix(".fault") }
        #expect(names.count > 300)
        for name in names {
            let lines = try Package.text("\(faults)/\(name)").split(separator: "\n")
            let line = try #require(lines.first { $0.hasPrefix("tests: ") }, "\(name) names no tests")
            for test in line.dropFirst("tests: ".count).split(separator: "|") {
                #expect(Self.exists(String(test)), "\(name): there is no test or suite \(test)")
            }
        }
    }

    /// Whether there is a suite with the name, or a test of a suite, as in `LayerTests/direction`.
    private static func exists(_ test: String) -> Bool {
        let parts = test.split(separator: "/").map(Substring.init)
        let files = suites[parts[0], default: []]
        guard parts.count > 1 else { return !files.isEmpty }
        return files.contains { $0.text.contains("func \(parts[1])(") }
    }

    @Test(
        "every claim of README has tests that show it: Tests/README names them, they exist, and no other claim"
    )
    func claims() throws {
        let section = try Package.text("README.md").split(separator: "\n")
            .drop { $0 != "## What you can rely on" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        let claims = section.compactMap { $0.prefixMatch(of: #/- \*\*(.+?)[.,:]?\*\*/#)?.1 }
        #expect(claims.count > 5)
        let rows = try Table.rows(of: "Tests/README.md").drop { $0.first?.hasPrefix("claim") != true }
            .dropFirst()
            .prefix { $0.count == 3 }
        let shown = rows.map { $0[0].split(separator: " ").joined(separator: " ") }
        for claim in claims {
            #expect(shown.contains(String(claim)), "Tests/README names no test for README's “\(claim)”")
        }
        for (claim, row) in zip(shown, rows) {
            #expect(
                claims.contains { $0 == claim },
                "README has no claim “\(claim)”, for which Tests/README has tests")
            let tests = Table.code(in: row[2])
            #expect(!tests.isEmpty, "\(claim): \(row[1]) is shown by no test")
            for test in tests { #expect(Self.exists(test), "Tests/README: there is no test \(test)") }
        }
    }

    @Test("every suite that a table of faults names exists")
    func faultTables() throws {
        for page in Package.names(in: "Tests/Faults") where page.hasSuffix(".md") {
            let named = try Package.text("Tests/Faults/\(page)").matches(of: #/`(\w+Tests)`/#).map(\.1)
            for suite in Set(named).subtracting(Self.suites.keys) {
                Issue.record("\(page): there is no suite \(suite)")
            }
        }
    }

    @Test("a suite of the libraries that starts threads has a tag for the thread sanitizer")
    func threads() throws {
        let targets = [
            "PromiseTests", "PromisedSystemTests", "PromisedSourcesTests", "PromisedModelsTests",
            "PromisedRecordingTests", "PromisedTestingTests",
        ]
        let tested = Self.files.filter { targets.contains(String($0.target)) }
        let shared = Set(tested.filter { $0.has(tag: "sharedState") }.map { "\($0.target).\($0.name)" })
        #expect(shared.count > 50)
        for file in tested where !file.has(tag: "sharedState") && !file.has(tag: "noSharedState") {
            #expect(!Self.startsThreads(file.text), "\(file.path) starts threads and has no tag")
            // `.ci/sanitize` copies only the files with the tag.
            #expect(
                !shared.contains("\(file.target).\(file.name)"), "\(file.path) is a part of a tagged suite")
        }
    }

    @Test("a suite whose tests start a process of their own does not queue behind others to wait for it")
    func ownProcesses() {
        let starting = Self.files.filter { $0.text.contains("(process" + "ExitsWith:") }
        #expect(starting.count > 5)
        for file in starting {
            #expect(file.text.contains(".ownThreads"), "\(file.path) has no trait ownThreads")
        }
    }

    /// Whether the text names something that runs closures on other threads; `race` is that of `Tests/Support`.
    private static func startsThreads(_ text: String) -> Bool {
        let words = [
            #"\bonThreads\b"#, #"\bThread(\.detachNewThread| ?[({])"#, #"\bconcurrentPerform\b"#,
            #"\bDispatchQueue(\(|\.global\b)"#, #"\bQueueScheduler\b"#, #"\bTask\.detached\b"#,
            #"\bwith(Throwing)?(Discarding)?TaskGroup\b"#, #"\brace\(\s*(count|rounds|\d)"#,
            #"\.oneAtATime\b"#,
        ]
        return text.range(of: words.joined(separator: "|"), options: .regularExpression) != nil
    }
}
