import Foundation
import Testing

@testable import ProductPage

@Suite struct MemoryBoundsTests {
    private func page(_ number: Int, size: Int = 10) -> WebPage {
        WebPage(url: "http://shop.example/\(number)", body: Array(repeating: 0x20, count: size))
    }

    private func numbers(_ memory: PageMemory) -> [Int] {
        (0..<20).filter { URL(string: page($0).url).flatMap(memory.page(at:)) != nil }
    }

    /// Says of a page when it was used last.
    private func use(_ number: Int, at seconds: Double, in folder: borrowing TemporaryFolder) throws {
        let key = try #require(URL(string: page(number).url).flatMap { MemoryKey($0) })
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: folder.file(key.fileName)
        )
    }

    @Test("of too many pages those used longest ago go")
    func count() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(folder: folder.path, bounds: .init(count: 3))
        for number in 0..<3 {
            memory.remember(page(number))
            try use(number, at: [30, 10, 20][number], in: folder)
        }
        memory.remember(page(3))
        #expect(numbers(memory) == [0, 2, 3])
        memory.touch(page(2))
        memory.remember(page(4))
        #expect(numbers(memory) == [2, 3, 4])
    }

    @Test("so do those that take too much room together, and one that is too large is not kept at all")
    func bytes() throws {
        let folder = try TemporaryFolder()
        let memory = PageMemory(
            folder: folder.path, bounds: .init(bytesOfAPage: 1000, bytes: 2500, count: 100))
        for number in 0..<2 {
            memory.remember(page(number, size: 1000))
            try use(number, at: Double(number), in: folder)
        }
        #expect(numbers(memory) == [0, 1])
        memory.remember(page(2, size: 1000))
        #expect(numbers(memory) == [1, 2])
        memory.remember(page(3, size: 1001))
        #expect(numbers(memory) == [1, 2])
    }

    @Test("what a run that was killed has left counts as well, and nobody else's file does")
    func strays() throws {
        let folder = try TemporaryFolder()
        let stray = "0123456789abcdef.page.77.tmp"
        for name in [stray, "notes.txt", "0123456789abcdef.txt", "0123456789abcdef.page.txt", "x.page"] {
            try folder.write("x", to: name)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.file(name))
        }
        PageMemory(folder: folder.path, bounds: .init(count: 1)).remember(page(0))
        let names = try folder.names()
        #expect(!names.contains(stray))
        #expect(names.count == 5)
    }
}
