internal import Foundation

/// The note beside a synced value, under a key of its own, so that another process knows what this one knew of the
/// server.
struct SyncRecord<Value: Versioned>: Sendable {
    enum Kind: String, Sendable {
        /// The server may have the value, or an older one: it was sent.
        case sent
        /// The server has the value, and it is about to be stored here. Without a value here it was not, and nothing is
        /// known; else this is like the next.
        case arriving
        /// The server had the value when it was here: if it has none now, that was deleted there.
        case seen
        /// The value was removed here. What the server has up to its version is to be deleted, or to be replaced by
        /// a value set here after that.
        case removed
    }

    var kind: Kind
    /// The newest value that was here and that the server may have, or of which it may have an older version.
    var value: Value

    /// Whether the value was the same here and there.
    var isShared: Bool { kind == .seen || kind == .arriving }

    /// The record of a later value here, or of its removal.
    static func of(_ value: Value, _ kind: Kind, after before: Self?) -> Self {
        // The arriving value was not stored here.
        guard let before, before.kind != .arriving, before.value.version > value.version else {
            return SyncRecord(kind: kind, value: value)
        }
        return SyncRecord(kind: kind, value: before.value)
    }

    static func isSame(_ left: Self?, _ right: Self?) -> Bool {
        left?.kind == right?.kind && left?.value.version == right?.value.version
    }
}

extension SyncRecord {
    /// The key of the record of a value. Where there is a limit, it is dropped before the value.
    static func key(_ key: StorageKey<Value>) -> StorageKey<SyncRecord> {
        StorageKey<SyncRecord>("\(key.name).synced", coder: coder(key.coder), priority: .low)
    }

    /// A line with the kind, and the data of the value.
    private static func coder(_ coder: StorageCoder<Value>) -> StorageCoder<SyncRecord> {
        guard let encode = coder.encode, let decode = coder.decode else { return .none }
        return StorageCoder {
            Data("\($0.kind.rawValue)\n".utf8) + (try encode($0.value))
        } decode: { data in
            let parts = data.split(
                separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let kind = Kind(rawValue: String(decoding: parts[0], as: UTF8.self))
            else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return SyncRecord(kind: kind, value: try decode(Data(parts[1])))
        }
    }
}

extension SyncRecord: Equatable where Value: Equatable {}
extension SyncRecord: Hashable where Value: Hashable {}
