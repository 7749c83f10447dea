public import Foundation
public import Promise
public import PromisedSystem

/// Keeps each value in a file of its own, whose name is that of the key.
///
/// ```swift
/// import Foundation
/// import PromisedSources
///
/// let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
/// let files = FilePersistence(folder: folder)
/// let name = files.source(for: StorageKey<String>("name.json"))
/// name.value.set("Ada")
/// try files.flush()
/// print(try String(contentsOf: folder.appending(path: "name.json"), encoding: .utf8))
/// // "Ada"
/// ```
///
/// - A value is shown as soon as it is set, and written after a pause, together with later values: the last
///   one wins. ``flush()`` does not wait for the pause, and neither does the release of the last source of a key, which
///   writes before it returns: no value is lost as long as the process runs.
/// - Files are replaced as a whole. Whenever the process is killed or the machine stops, a file is the old one or the
///   new one.
/// - An error is shown beside the value or in its place; it names the file. What could not be written is tried again at
///   the next change and by ``flush()``. A file that could not be read is not overwritten: when a value is set, it is
///   kept beside the new one, as `name.json.damaged-1`.
/// - Several processes may use one file: it is always one of their values. A change by another process is seen by
///   ``refresh()``, and before a file is written. Of two values, the one that was set later wins, by the machine's
///   clock; a removal has no time, so a value that is not written yet comes after it.
///   ``Persistence/update(_:for:_:)``, ``replace(_:for:if:)`` and ``clear(_:if:)`` are one step across processes (where
///   the file system has locks), and written when they return.
///
/// The first read of a source reads its file on the calling thread, and ``Persistence/set(_:for:)`` writes it there if
/// no source of the key is in use. Copies of this share their values; create one for a folder.
public struct FilePersistence: Persistence {
    private let storage: FileStorage

    /// Creates a storage in a folder, which is created with the first file.
    ///
    /// - Parameters:
    ///   - folder: Contains the files, and nothing else.
    ///   - scheduler: Measures the pause and the expiry; files are written there, so it should not be the main queue.
    ///   - pause: How long changes are collected before a file is written.
    ///   - maximumSize: The number of bytes of a file. Others are an error.
    ///   - isActive: Whether the program is active; files are checked for changes when it becomes active.
    ///   - now: Returns the date, for expiry and as the modification date of written files. Called on any thread that
    ///     reads or sets a value, and on the scheduler.
    public init(
        folder: URL, on scheduler: any SerialScheduler = QueueScheduler.serial("PromisedSources.files"),
        pause: Duration = .milliseconds(300), maximumSize: Int = 64 << 20, isActive: Source<Bool>? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.init(folder, SystemFiles(), .init(scheduler: scheduler, pause: pause, now: now), maximumSize)
        if let isActive { storage.table.refresh(with: isActive, on: scheduler) }
    }

    init(_ folder: URL, _ files: some FileOperations, _ timing: StorageTiming, _ maximumSize: Int) {
        storage = FileStorage(folder, files, timing, maximumSize)
    }

    /// The value of a key, as in ``Persistence/source(for:)``.
    ///
    /// Characters of the key's name that would lead out of the folder are escaped in the name of the file.
    public func source<Value: Sendable>(for key: StorageKey<Value>) -> Source<Persistable<Value>> {
        storage.handle(key).erased
    }

    /// Sets the value of a key under a condition, as in ``Persistence/replace(_:for:if:)``. It is written before this
    /// returns; if it can't be, the error is shown by the source, and it was not set.
    @discardableResult
    public func replace<Value: Sendable>(
        _ value: Value, for key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { storage.handle(key).replace(by: value, if: condition) }

    /// Removes the value of a key under a condition, as in ``Persistence/clear(_:if:)``.
    @discardableResult
    public func clear<Value: Sendable>(
        _ key: StorageKey<Value>, if condition: (Persistable<Value>) -> Bool
    ) -> Bool { storage.handle(key).replace(by: nil, if: condition) }

    /// Writes all values that are not written yet, before this returns.
    ///
    /// - Throws: The first ``StorageError``, when the rest has been written.
    public func flush() throws { try storage.table.flush() }

    /// Checks the files whose sources are in use, and publishes what other processes have changed.
    ///
    /// A file is read if its inode, size or dates have changed. A pending value is written.
    public func refresh() { storage.table.refresh() }

    /// The number of values in use, for tests.
    var count: Int { storage.table.count }
}

private final class FileStorage: Sendable {
    let table = StorageTable()
    private let folder: String
    private let files: any FileOperations
    private let timing: StorageTiming
    private let maximumSize: Int
    private let isSwept = Lock(false)

    init(_ folder: URL, _ files: any FileOperations, _ timing: StorageTiming, _ maximumSize: Int) {
        (self.folder, self.files) = (folder.resolvingSymlinksInPath().path, files)
        (self.timing, self.maximumSize) = (timing, maximumSize)
    }

    func handle<Value: Sendable>(_ key: StorageKey<Value>) -> StorageHandle<Value> {
        table.handle(for: key.name) {
            // A file that is a link is replaced where it is.
            let file = URL(filePath: "\(folder)/\(Self.fileName(key.name))").resolvingSymlinksInPath()
            let slot = FileSlot(
                file.path, key.coder,
                FileReplacement(files: files, folder: file.deletingLastPathComponent().path),
                maximumSize: maximumSize, prepare: sweep)
            return StoredSource(slot, timing, expiresAfter: key.expiresAfter)
        }
    }

    private static func fileName(_ name: String) -> String {
        let escaped = name.replacing("%", with: "%25").replacing("/", with: "%2F").replacing(
            "\0", with: "%00")
        return escaped.isEmpty || escaped.hasPrefix(".") ? "%\(escaped)" : escaped
    }

    @Sendable private func sweep() {
        guard
            !isSwept.withLock({ swept in
                defer { swept = true }
                return swept
            })
        else { return }
        FileReplacement(files: files, folder: folder).sweep(at: timing.now())
    }
}
