import Foundation

/// A copy of the package with all faults. A file is written only if it changes, so that the next build compiles no others.
struct PackageCopy {
    let original: URL
    let copy: URL

    /// Copies folders, and removes what else is in the topmost folders in the copy. `codes` are written in place of
    /// these files.
    func update(_ paths: [String], _ codes: [String: String]) throws {
        var contents: [String: Data] = [:]
        for path in paths { contents.merge(try files(original, below: path)) { $1 } }
        contents.merge(codes.mapValues { Data($0.utf8) }) { $1 }
        var old: [String: Data] = [:]
        for folder in Set(paths.compactMap { $0.split(separator: "/").first.map(String.init) }) {
            old.merge(try files(copy, below: folder)) { $1 }
        }
        for path in old.keys where contents[path] == nil {
            try FileManager.default.removeItem(at: copy.appending(path: path))
        }
        for (path, data) in contents where old[path] != data {
            let file = copy.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    /// The files in a folder by their paths, also in folders in it.
    private func files(_ root: URL, below path: String) throws -> [String: Data] {
        let folder = root.appending(path: path)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
        var result: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let file = folder.appending(path: name)
            if try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
                result["\(path)/\(name)"] = try Data(contentsOf: file)
            }
        }
        return result
    }
}
