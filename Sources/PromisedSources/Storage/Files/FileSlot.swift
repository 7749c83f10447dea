internal import Foundation
internal import Promise

/// A file that contains one value.
final class FileSlot<Value: Sendable>: StorageSlot {
    private struct Seen: Sendable {
        /// The file as this has read or written it last; nil if there was none, or it is not known.
        var status: FileStatus?
        var isKnown = false
        /// Whether there is a file that can't be read.
        var isUnreadable = false
    }

    private struct Empty: Error, CustomStringConvertible { let description = "it is empty" }

    let path: String
    private let coder: StorageCoder<Value>
    private let replacement: FileReplacement
    private let maximumSize: Int
    private let prepare: @Sendable () -> Void
    private let seen = Lock(Seen())

    /// - Parameter prepare: Called before each write.
    init(
        _ path: String, _ coder: StorageCoder<Value>, _ replacement: FileReplacement, maximumSize: Int,
        prepare: @escaping @Sendable () -> Void
    ) {
        (self.path, self.coder, self.replacement) = (path, coder, replacement)
        (self.maximumSize, self.prepare) = (maximumSize, prepare)
    }

    private var files: any FileOperations { replacement.files }

    // MARK: Reading

    func reading() -> () -> StoredContent<Value> {
        guard let decode = coder.decode else { return { .nothing } }
        do {
            guard let (data, status) = try files.read(path, limit: maximumSize) else {
                seen.exchange(for: Seen(isKnown: true))
                return { .nothing }
            }
            seen.exchange(for: Seen(status: status, isKnown: true))
            return { [self] in
                do {
                    return .value(try decode(data), date: status.date)
                } catch {
                    seen.withLock { if $0.status == status { $0.isUnreadable = true } }
                    return .failure(StorageError(path, .read, .undecodable(data.isEmpty ? Empty() : error)))
                }
            }
        } catch {
            seen.exchange(for: Seen(isUnreadable: true))
            let failure = describe(error, .read)
            return { .failure(failure) }
        }
    }

    var hasChanged: Bool {
        let seen = seen.withLock { $0 }
        guard seen.isKnown else { return true }
        // An error is the news if there was none before.
        do { return try files.status(of: path) != seen.status } catch { return !seen.isUnreadable }
    }

    // MARK: Writing

    func writing(_ value: Value?, date: Date, ifUnchanged isConditional: Bool) throws -> () throws ->
        SlotWrite
    {
        let data = try value.map { try encode($0) }
        return { [self] in
            do {
                prepare()
                if data != nil { try replacement.makeFolder() }
                return try files.locked(replacement.folder) { try write(data, date, isConditional) }
            } catch { throw describe(error, data == nil ? .remove : .write) }
        }
    }

    private func encode(_ value: Value) throws -> Data {
        guard let encode = coder.encode else { throw StorageError(path, .write, .notEncodable) }
        let data: Data
        do { data = try encode(value) } catch { throw StorageError(path, .write, .unencodable(error)) }
        guard data.count <= maximumSize else {
            throw StorageError(path, .write, .tooLarge(data.count, limit: maximumSize))
        }
        return data
    }

    private func write(_ data: Data?, _ date: Date, _ isConditional: Bool) throws -> SlotWrite {
        let (seen, present) = (seen.withLock { $0 }, try files.status(of: path))
        if let present, !present.isFile { throw FileFault.notAFile }
        // Of the values of two processes, the one that was set later wins, as if they had been written at once.
        let isLater = isConditional || present.map { $0.date > date } ?? false
        if seen.isKnown, present != seen.status, isLater { return SlotWrite(isSuperseded: true) }
        guard let data else {
            if present != nil || seen.status != nil { try replacement.remove(path) }
            self.seen.exchange(for: Seen(isKnown: true))
            return SlotWrite()
        }
        let other = seen.isUnreadable && present != nil ? try freeName() : nil
        let status = try replacement.replace(path, by: data, date: date, present, keepingAs: other)
        // Unless another process has replaced it again, which is seen at the next look.
        let now = try files.status(of: path)
        let isOurs = now.map { $0.isSameContent(as: status) } ?? false
        self.seen.exchange(for: Seen(status: isOurs ? now : status, isKnown: true))
        return SlotWrite()
    }

    /// A name for the file that can't be read.
    private func freeName() throws -> String {
        var number = 1
        while try files.status(of: "\(path).damaged-\(number)") != nil { number += 1 }
        return "\(path).damaged-\(number)"
    }

    private func describe(_ error: any Error, _ operation: StorageError.Operation) -> StorageError {
        let reason = (error as? FileFault)?.reason(limit: maximumSize)
        return StorageError(path, operation, reason ?? .system(0, "\(error)"))
    }
}
