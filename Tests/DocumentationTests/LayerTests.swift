import Foundation
import Testing

/// The folders of a module are layers: each refers only to those below it.
@Suite("Layers")
struct LayerTests {
    /// The folders of each module, the lowest first.
    private static let layers: [String: [String]] = [
        "Promise": [
            "Support", "Errors", "Scheduling", "Storage", "Core", "Schedulers", "Making", "Observing",
            "Operators",
        ],
        "PromisedSystem": [
            "Support", "Reports", "Calls", "Containers", "Subscribing", "Reading", "Store", "Effects",
            "Middleware",
            "Reducers",
            "Loop",
            "Scoping", "Diagnostics", "Apple",
        ],
        "PromisedSources": [
            "Support", "Reports", "Actions", "States", "Published", "Models", "Operators", "Fetching",
            "Storage", "Fetches", "Restoring",
        ],
        "PromisedModels": [
            "Reports", "Dependencies", "Model", "Tasks", "Reading", "Events", "Apple",
        ],
        "PromisedRecording": [
            "Values", "Format", "Observing", "Recorder", "Replay", "Report", "Export", "Live",
            "Apple",
        ],
        "PromisedExploring": [
            "Support", "Coverage", "Properties", "Paths", "World", "Configuration", "Search", "Traces",
            "Explorer",
            "Saving", "Diagrams", "Reports",
        ],
    ]

    private struct File {
        let path: String
        let layer: String
        let words: Set<String>
    }

    private static func files(of module: String) throws -> [(file: File, types: [String])] {
        let folder = "Sources/\(module)"
        return try Package.swiftFiles(below: folder).compactMap { path in
            let parts = path.dropFirst(folder.count + 1).split(separator: "/")
            guard parts.count > 1, !parts[0].hasSuffix(".docc") else { return nil }
            let text = try Package.text(path)
                .replacing(#/\/\/.*/#, with: "").replacing(#/"(\\.|[^"\\])*"/#, with: "")
            let declaration =
                #/^(?:@\w+\s+)*(?:(?:public|package|final|indirect)\s+)*(?:class|struct|enum|protocol)\s+([A-Z]\w+)/#
                .anchorsMatchLineEndings()
            return (
                File(
                    path: path, layer: String(parts[0]),
                    words: Set(text.matches(of: #/\b[A-Z]\w+/#).map { String($0.output) })),
                text.matches(of: declaration).map { String($0.1) }
            )
        }
    }

    @Test("a file refers to types of its own folder and of lower ones only", arguments: layers.keys.sorted())
    func direction(module: String) throws {
        let order = try #require(Self.layers[module])
        let files = try Self.files(of: module)
        #expect(Set(files.map(\.file.layer)) == Set(order))
        var owners: [String: String] = [:]
        for (file, types) in files { for type in types { owners[type] = file.layer } }
        #expect(owners.count >= 10)
        for (file, _) in files {
            let own = order.firstIndex(of: file.layer) ?? 0
            for word in file.words.sorted() {
                guard let owner = owners[word], let place = order.firstIndex(of: owner) else { continue }
                if place > own { Issue.record("\(file.path) refers to \(word), which is in \(owner)") }
            }
        }
    }
}
