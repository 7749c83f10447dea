import Foundation
import Testing

@testable import ProductPage

@Suite struct PageMemoryTests {
    private let lamp = WebPage(
        url: "https://shop.example/lamp?a=b", body: Array("{\"é\"}\n\n\u{0}x".utf8), charset: "iso-8859-15",
        entityTag: #"W/"1\2""#, lastModified: "Sat, 21 Nov 2026 10:00:00 GMT")

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test("what is remembered comes back whole, in another run as well")
    func whole() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cache/product-page")
        #expect(PageMemory(folder: path).page(at: try url(lamp.url)) == nil)
        PageMemory(folder: path).remember(lamp)
        #expect(PageMemory(folder: path).page(at: try url(lamp.url)) == lamp)
        let bare = WebPage(url: "http://a/", body: [])
        PageMemory(folder: path).remember(bare)
        #expect(PageMemory(folder: path).page(at: try url("http://a/")) == bare)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 2)
    }

    @Test("for another address there is nothing, and the part after # is no other address")
    func keys() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path)
        memory.remember(lamp)
        for other in [
            "https://shop.example/lamp", "http://shop.example/lamp?a=b", "https://shop.example/lamp?a=B",
        ] {
            #expect(memory.page(at: try url(other)) == nil)
        }
        #expect(memory.page(at: try url(lamp.url + "#reviews")) == lamp)
    }

    @Test("a file in the place of another's is not taken for it")
    func sameName() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path)
        memory.remember(lamp)
        let other = try url("https://shop.example/clock")
        let (theirs, ours) = (try #require(MemoryKey(url(lamp.url))), try #require(MemoryKey(other)))
        try FileManager.default.moveItem(
            atPath: folder.file(theirs.fileName), toPath: folder.file(ours.fileName))
        #expect(memory.page(at: other) == nil)
        #expect(memory.page(at: try url(lamp.url)) == nil)
    }

    @Test("an address with a name or a password in it is never written down")
    func passwords() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path)
        for address in ["https://me:secret@shop.example/", "https://me@shop.example/"] {
            memory.remember(WebPage(url: address, body: []))
            memory.remember(moveOf: try url(address), to: lamp)
            #expect(memory.page(at: try url(address)) == nil)
        }
        #expect(try folder.names() == [])
    }

    @Test("a damaged file counts as none, whatever is wrong with it, and is replaced")
    func damaged() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path)
        memory.remember(lamp)
        let key = try #require(MemoryKey(url(lamp.url)))
        let place = URL(filePath: folder.file(key.fileName))
        let good = try Array(Data(contentsOf: place))
        #expect(MemoryEntry(encoded: good) == .page(lamp))
        for length in 0..<good.count { #expect(MemoryEntry(encoded: Array(good[..<length])) == nil) }
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            #expect(MemoryEntry(encoded: bad) == nil)
        }
        #expect(MemoryEntry(encoded: good + [0]) == nil)
        try Data(good.dropLast()).write(to: place)
        #expect(memory.page(at: try url(lamp.url)) == nil)
        memory.remember(lamp)
        #expect(memory.page(at: try url(lamp.url)) == lamp)
    }

    @Test("what moved for good is found where it was, but only the new address is asked about")
    func moved() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path)
        let old = try url("http://shop.example/lamp")
        memory.remember(moveOf: old, to: lamp)
        #expect(memory.page(leadingFrom: old) == nil)
        memory.remember(lamp)
        #expect(memory.page(leadingFrom: old) == lamp)
        #expect(memory.page(at: old) == nil)
        #expect(memory.page(leadingFrom: try url(lamp.url)) == lamp)
        // Round in a circle is nowhere.
        memory.remember(moveOf: try url(lamp.url), to: WebPage(url: "\(old)", body: []))
        #expect(memory.page(leadingFrom: old) == nil)
    }

    @Test("a folder that cannot be written or read costs nothing but the memory")
    func unusable() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "file")
        for path in [folder.file("file"), folder.file("file/x"), "/proc/none/x", nil] {
            let memory = PageMemory(folder: path)
            memory.remember(lamp)
            memory.touch(lamp)
            memory.forget(lamp)
            #expect(memory.page(at: try url(lamp.url)) == nil)
        }
        // What waits to be written to is no page, and nobody waits for it.
        let key = try #require(MemoryKey(url(lamp.url)))
        #expect(mkfifo(folder.file(key.fileName), 0o600) == 0)
        #expect(PageMemory(folder: folder.path).page(at: try url(lamp.url)) == nil)
    }

    @Test("the folder is the user's own for such things")
    func defaultFolder() {
        func folder(_ environment: [String: String]) -> String {
            PageMemory.defaultFolder(environment: environment, home: "/home/me")
        }
        #expect(folder(["XDG_CACHE_HOME": "/c"]) == "/c/product-page")
        #if canImport(Darwin)
            #expect(folder([:]) == "/home/me/Library/Caches/product-page")
        #else
            #expect(folder([:]) == "/home/me/.cache/product-page")
            #expect(folder(["XDG_CACHE_HOME": "c", "HOME": "/root"]) == "/root/.cache/product-page")
            #expect(folder(["HOME": "root"]) == "/home/me/.cache/product-page")
        #endif
    }
}
