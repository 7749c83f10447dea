internal import Foundation
public import Promise
internal import PromisedSystem

/// A change of values that is stored until it is answered, so that one that waits, such as for the network, is sent
/// although the program was ended.
///
/// ```swift
/// import PromisedSources
///
/// struct LikesKey: FetchKey {
///     func fetch(from server: Int) -> Promise<Int> { .value(server) }
/// }
///
/// struct Like: StoredChange {
///     static let name = "like"
///     let likes: Int
///     var values: [ValueChange<Int, Int>] { [ValueChange(LikesKey(), optimistic: { [likes] in $0 += likes })] }
///     func send(to server: Int) -> Promise<Int> { .value(server + likes) }
/// }
///
/// let storage = FetchStorage(MemoryPersistence(), version: "1.2")
/// let fetches = Fetches(from: 7, on: .immediate, storage: storage)
/// fetches.resume([Like.self])
/// fetches.change(Like(likes: 1))
/// ```
///
/// A change in flight when the program ended is sent again: give it an identifier by which the server knows it.
public protocol StoredChange<Client>: Codable, Sendable {
    /// The client that sends it.
    associatedtype Client: Sendable
    /// The answer of the server.
    associatedtype Answer: Sendable

    /// Identifies the type in the storage.
    static var name: String { get }
    /// The changes of the values.
    var values: [ValueChange<Client, Answer>] { get }
    /// Makes the request when its turn has come.
    func send(to client: Client) -> Promise<Answer>
}

/// The stored form of a change.
struct ChangeRecord: Codable, Sendable {
    let id: UUID
    let version: String
    let name: String
    let data: Data
    /// Those of its keys.
    let paths: [[String]]?

    func isUnder(_ path: [String]) -> Bool { (paths ?? [[]]).contains { $0.starts(with: path) } }
}

extension StorageKey<[ChangeRecord]> {
    /// Where the changes are stored.
    static var changes: StorageKey { StorageKey("promised.changes") }
}

extension Fetches {
    /// Makes a change that is stored until it is answered. Without a storage, it is like any other.
    ///
    /// - Returns: The answer. An error that is not observed is reported to `PromiseDiagnostics`.
    @discardableResult
    public func change<Change: StoredChange<Client>>(
        _ change: Change, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Change.Answer> {
        let record = store.flatMap { store in
            (try? JSONEncoder().encode(change)).map {
                ChangeRecord(
                    id: UUID(), version: store.storage.version, name: Change.name, data: $0,
                    paths: change.values.map { $0.path })
            }
        }
        if let record { scheduler.perform { [store] in store?.add(record) } }
        return send(change, record, file, line)
    }

    /// Sends the changes that were stored and not answered when the program ended, in the order in which they were
    /// made. Call it once, when the program starts. What these fetches send themselves is not sent again.
    ///
    /// - Parameter types: All types of changes. Changes of another type, or of another version of the program,
    ///   are removed.
    public func resume(
        _ types: [any StoredChange<Client>.Type], file: StaticString = #fileID, line: UInt = #line
    ) {
        guard let store else { return }
        scheduler.perform { [self] in
            let sending = sending.withLock { $0 }
            let lost = store.changes.filter { !sending.contains($0.id) }.filter { record in
                let type = types.first { $0.name == record.name && record.version == store.storage.version }
                return !(type.map { again($0, record, file, line) } ?? false)
            }.map(\.id)
            store.updateChanges { $0.removeAll { lost.contains($0.id) } }
        }
    }

    /// - Returns: Whether it could be decoded.
    private func again<Change: StoredChange<Client>>(
        _: Change.Type, _ record: ChangeRecord, _ file: StaticString, _ line: UInt
    ) -> Bool {
        guard let change = try? JSONDecoder().decode(Change.self, from: record.data) else { return false }
        let dropped: @Sendable (any Error) throws -> Void = { error in
            // No error: it is sent the next time.
            guard case PromiseError.abandoned = error else { throw error }
        }
        send(change, record, file, line).map { _ in }.mapErrorRecover(dropped, file: file, line: line).start()
        return true
    }

    @discardableResult
    private func send<Change: StoredChange<Client>>(
        _ change: Change, _ record: ChangeRecord?, _ file: StaticString, _ line: UInt
    ) -> Promise<Change.Answer> {
        let (client, scheduler, store, sending) = (client, scheduler, store, sending)
        if let record { sending.withLock { _ = $0.insert(record.id) } }
        let answer = self.change(change.values, file: file, line: line) { change.send(to: client) }
        guard let record else { return answer }
        let forget = { @Sendable in
            scheduler.perform {
                store?.updateChanges { $0.removeAll { $0.id == record.id } }
                sending.withLock { _ = $0.remove(record.id) }
            }
        }
        let ended = answer.tap { _ in forget() }.mapError { error in
            // A change that was dropped with these fetches is sent the next time.
            if case PromiseError.abandoned = error { return error }
            forget()
            return error
        }
        ended.start()
        return ended
    }
}
