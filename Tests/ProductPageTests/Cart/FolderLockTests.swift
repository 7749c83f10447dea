import Foundation
import Testing

@testable import ProductPage

@Suite struct FolderLockTests {
    @Test("while one has the lock no other gets it, and then the next does")
    func exclusion() throws {
        let folder = try TemporaryFolder()
        let first = try FolderLock(folder.path)
        #expect(
            reason { () throws(AtomicFile.Failure) in try FolderLock(folder.path, patience: .zero).release() }
                == Self.taken)
        first.release()
        #expect(
            reason { () throws(AtomicFile.Failure) in try FolderLock(folder.path, patience: .zero).release() }
                == nil)
        #expect(try folder.names() == [])
    }

    @Test("one who waits gets in as soon as the other leaves")
    func waiting() throws {
        let folder = try TemporaryFolder()
        let first = try FolderLock(folder.path)
        let left = DispatchSemaphore(value: 0)
        let path = folder.path
        Thread.detachNewThread {
            let second = try? FolderLock(path, patience: .seconds(600))
            second?.release()
            left.signal()
        }
        first.release()
        left.wait()
    }

    #if os(Linux)
        @Test("one who does not get in leaves nothing open", arguments: [true, false])
        func givingUp(isCancelled: Bool) throws {
            let folder = try TemporaryFolder()
            let first = try FolderLock(folder.path)
            let patience = isCancelled ? Duration.seconds(600) : .zero
            #expect(throws: AtomicFile.Failure.self) {
                try FolderLock(folder.path, patience: patience, unless: { isCancelled })
            }
            #expect(try openings(of: folder.path) == 1)
            first.release()
            #expect(try openings(of: folder.path) == 0)
        }

        private func openings(of path: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
            }
        }
    #endif

    @Test("a cart is read even while it is changed")
    func reading() throws {
        let folder = try TemporaryFolder()
        let store = CartFile(path: folder.file("cart.json"))
        _ = try store.change { $0 = Cart(lines: [.oneA]) }
        let lock = try FolderLock(folder.path)
        defer { lock.release() }
        #expect(try store.load() == Cart(lines: [.oneA]))
    }

    @Test("a folder that is none is an error with its reason")
    func noFolder() throws {
        let folder = try TemporaryFolder()
        #expect(
            reason { () throws(AtomicFile.Failure) in try FolderLock(folder.file("gone")).release() }
                == "no such file")
    }

    private static let taken = "another program is changing it; try again"

    private func reason(_ lock: () throws(AtomicFile.Failure) -> Void) -> String? {
        do {
            try lock()
            return nil
        } catch {
            return error.reason
        }
    }
}
