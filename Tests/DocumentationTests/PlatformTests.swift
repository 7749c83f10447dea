import Foundation
import Testing

/// Rules for every file that checks the platform.
@Suite("Platforms")
struct PlatformTests {
    /// The C libraries of Swift's platforms other than those of Apple and Glibc.
    private static let libraries = ["Musl", "Android", "Bionic", "WASILibc"]

    /// The files that import a C library, except those for Linux alone.
    private static let files = ["Sources", "Example", "Tests"].flatMap { Package.swiftFiles(below: $0) }
        .filter { file in
            guard let text = try? Package.text(file), !text.hasPrefix("#if os(Linux)") else { return false }
            return text.contains(#/(?m)^ *#(else)?if canImport\(Glibc\)\n *(internal )?import Glibc$/#)
        }

    @Test("a file that imports Glibc handles the C libraries of the other platforms", arguments: files)
    func chain(file: String) throws {
        let text = try Package.text(file)
        for library in Self.libraries {
            #expect(
                text.contains("#elseif canImport(\(library))\n"),
                "\(file) imports Glibc, and does not know \(library)")
        }
    }

    @Test("there are such files in the library; the example and its tests have what Foundation passes on")
    func thereAreSome() {
        #expect(Set(Self.files.compactMap { $0.split(separator: "/").first }) == ["Sources"])
    }
}
