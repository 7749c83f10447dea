import Foundation
import Testing

@testable import ProductPage

@Suite struct RedirectTests {
    private func target(_ location: String, from url: String) throws -> String {
        try Fetch.target(of: location, from: #require(URL(string: url))).absoluteString
    }

    @Test("an address is found from where the redirect stands, and may become a protected one")
    func targets() throws {
        #expect(try target("b", from: "http://shop.example/x/a") == "http://shop.example/x/b")
        #expect(try target("/b?c", from: "https://shop.example/x/a") == "https://shop.example/b?c")
        #expect(try target("//other.example/b", from: "https://shop.example/a") == "https://other.example/b")
        #expect(
            try target("https://shop.example/a", from: "http://shop.example/a") == "https://shop.example/a")
        #expect(
            try target("HTTPS://shop.example/a", from: "https://shop.example/") == "HTTPS://shop.example/a")
    }

    @Test(
        "one that leads out of the web, or out of protection, is not followed",
        arguments: [
            ("http://shop.example/a", "redirects from https to http, which is not followed"),
            ("HTTP://shop.example/a", "redirects from https to http, which is not followed"),
            ("file:///etc/passwd", "redirects to a file: address, which is not followed"),
            ("javascript:alert(1)", "redirects to a javascript: address, which is not followed"),
            ("data:text/html,x", "redirects to a data: address, which is not followed"),
            ("https:///x", "redirects to an address without a host"),
        ])
    func refused(location: String, reason: String) {
        let error = #expect(throws: PageError.self) { try target(location, from: "https://shop.example/") }
        #expect(error?.reason == reason)
    }
}
