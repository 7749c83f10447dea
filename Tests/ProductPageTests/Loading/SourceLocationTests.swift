import Foundation
import Testing

@testable import ProductPage

@Suite struct SourceLocationTests {
    @Test(arguments: [
        ("a.json", "a.json"), ("./-", "./-"), ("/x y/é.html", "/x y/é.html"), ("C:name", "C:name"),
        ("a:b.json", "a:b.json"), ("file:///x%20y.json", "/x y.json"), ("file:/x.json", "/x.json"),
        ("FILE://localhost/x", "/x"),
    ])
    func pathsAndFileAddressesAreFiles(text: String, path: String) throws {
        #expect(try SourceLocation(text) == .file(path: path))
    }

    @Test(arguments: ["http://example.com", "https://example.com/a?b=c#d"])
    func webAddressesAreFetched(text: String) throws {
        #expect(try SourceLocation(text) == .web(#require(URL(string: text))))
        #expect(try SourceLocation(text).name == text)
    }

    @Test(arguments: [
        "", "http://", "http:", "https:///x", "http:x", "ftp://a/b", "file://elsewhere/x", "data://x",
    ])
    func whatCannotBeLoadedIsAUsageError(text: String) {
        let error = #expect(throws: PageError.self) { try SourceLocation(text) }
        #expect(error?.exitCode == 64)
    }

    @Test func aSchemeInCapitalsIsTheSame() throws {
        #expect(try SourceLocation("HTTP://127.0.0.1:8080/X").name == "http://127.0.0.1:8080/X")
    }

    @Test func passwordsAreNotShown() throws {
        #expect(try SourceLocation("https://me:secret@example.com/x").name == "https://example.com/x")
    }
}
