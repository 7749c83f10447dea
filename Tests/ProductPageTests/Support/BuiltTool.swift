import Foundation

@testable import ProductPage

/// The program as it was built, beside the tests that run.
enum BuiltTool {
    /// Next to the bundle of tests, whatever the build folder and the configuration.
    static let path: String = {
        let places = ["/proc/self/exe", CommandLine.arguments.first ?? ""] + CommandLine.arguments
        for place in places {
            var folder = URL(filePath: place).resolvingSymlinksInPath()
            while folder.path.count > 1 {
                folder.deleteLastPathComponent()
                let candidate = folder.appending(path: "product-page").path
                if FileManager.default.isExecutableFile(atPath: candidate), !isFolder(candidate) {
                    return candidate
                }
            }
        }
        return "product-page is not beside the tests"
    }()

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
