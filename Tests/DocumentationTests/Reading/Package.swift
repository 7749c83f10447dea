import Foundation

/// This package's own files.
enum Package {
    /// The folder that holds `Package.swift`, four levels above this file.
    static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    /// The library's modules: the folders of `Sources`.
    static let modules = names(in: "Sources").filter { !$0.hasPrefix(".") }

    /// The modules of the test kit.
    static let testKit = ["PromisedTesting", "PromisedExploring"]
    /// The modules that need the test framework: the test kit, and what stands on it.
    static let testing = testKit + ["PromisedModelsTesting"]

    /// `README.md` and every page of `.github` and of a DocC catalog.
    static var pages: [String] {
        let catalogs = files(below: "Sources").filter { $0.contains(".docc/") }
        return (["README.md"].filter(exists) + files(below: ".github") + catalogs).filter {
            $0.hasSuffix(".md")
        }
    }

    /// Every Markdown file, those of the folders' own included.
    static var texts: [String] {
        let folders = ["Sources", "Tests", "Example", ".github"]
        return (names(in: ".") + folders.flatMap(files)).filter {
            $0.hasSuffix(".md") && !$0.contains("/.build")
        }
    }

    /// Every Swift file of the library.
    static var sources: [String] { swiftFiles(below: "Sources") }

    /// Every Swift file in a folder and its folders, sorted; without build products.
    static func swiftFiles(below folder: String) -> [String] {
        files(below: folder).filter { $0.hasSuffix(".swift") && !$0.contains("/.build") }
    }

    /// The text of the file at `path`.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether a file or folder exists at `path`.
    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The names in a folder, sorted; empty if there is no such folder.
    static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    private static func files(below folder: String) -> [String] {
        let found = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (found?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }.sorted()
    }
}
