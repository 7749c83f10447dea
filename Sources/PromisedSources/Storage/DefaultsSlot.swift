internal import Foundation
internal import Promise

/// A value in user defaults: a dictionary of its data and its date, or what another part of the program has set, such
/// as a number, a text or a date, which stays of that kind.
final class DefaultsSlot<Value: Sendable>: StorageSlot {
    private struct DefaultsEntry: Sendable, Equatable {
        var data: Data
        /// Of what another part has set, it is not known.
        var date = Date.distantPast
        var form = Form.dated

        enum Form { case dated, data, plain, instant }
    }

    private struct NotOurs: Error, CustomStringConvertible {
        var description: String { "another part of the program has set it" }
    }

    private let suite: String?
    private let name: String
    private let coder: StorageCoder<Value>
    private let seen = Lock<DefaultsEntry?>(nil)

    init(suite: String?, name: String, coder: StorageCoder<Value>) {
        (self.suite, self.name, self.coder) = (suite, name, coder)
    }

    // Not stored, as they cannot be sent to other threads.
    private var defaults: UserDefaults { suite.flatMap { UserDefaults(suiteName: $0) } ?? .standard }

    private var place: String { "The user default \"\(name)\"" }

    private func entry() throws -> DefaultsEntry? {
        guard let object = defaults.object(forKey: name) else { return nil }
        if let fields = object as? [String: Any], let data = fields["data"] as? Data,
            let date = fields["date"] as? Date
        {
            return DefaultsEntry(data: data, date: date)
        }
        if let data = object as? Data { return DefaultsEntry(data: data, form: .data) }
        // As JSON, which is how a value is coded that does not do so itself.
        guard !(Value.self is any DataConvertible.Type) else { throw NotOurs() }
        let date = object as? Date
        guard date != nil || JSONSerialization.isValidJSONObject([object]) else { throw NotOurs() }
        let data =
            try date.map { try JSONEncoder().encode($0) }
            ?? JSONSerialization.data(withJSONObject: object, options: [.fragmentsAllowed, .sortedKeys])
        return DefaultsEntry(data: data + [UInt8(ascii: "\n")], form: date == nil ? .plain : .instant)
    }

    private func decode(_ entry: DefaultsEntry) throws -> Value? {
        do { return try coder.decode?(entry.data) } catch { throw entry.form == .dated ? error : NotOurs() }
    }

    // MARK: Reading

    func reading() -> () -> StoredContent<Value> {
        let stored = Result { try entry() }
        seen.exchange(for: try? stored.get())
        return { [self] in
            do {
                guard let entry = try stored.get(), let value = try decode(entry) else { return .nothing }
                return .value(value, date: entry.date)
            } catch {
                return .failure(StorageError(place, .read, .undecodable(error)))
            }
        }
    }

    var hasChanged: Bool { (try? entry()) != seen.withLock { $0 } }

    // MARK: Writing

    func writing(_ value: Value?, date: Date, ifUnchanged isConditional: Bool) throws -> () throws ->
        SlotWrite
    {
        let data = try value.map { try encode($0) }
        let present = Result { try entry() }
        let isReadable = (try? present.get().map { try decode($0) }) != nil
        return { [self] in
            if isConditional, hasChanged { return SlotWrite(isSuperseded: true) }
            guard let data else {
                seen.exchange(for: nil)
                defaults.removeObject(forKey: name)
                return SlotWrite()
            }
            if isReadable, let form = try? present.get()?.form, let object = Self.object(data, form) {
                defaults.set(object, forKey: name)
                seen.exchange(for: try? entry())
                return SlotWrite()
            }
            if !isReadable { keep() }
            seen.exchange(for: DefaultsEntry(data: data, date: date))
            defaults.set(["data": data, "date": date] as [String: Any], forKey: name)
            return SlotWrite()
        }
    }

    /// The form that another part of the program can read as before; nil if there is no such form.
    private static func object(_ data: Data, _ form: DefaultsEntry.Form) -> Any? {
        switch form {
        case .dated: nil
        case .data: data
        case .instant: try? JSONDecoder().decode(Date.self, from: data)
        case .plain:
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)).flatMap {
                PropertyListSerialization.propertyList($0, isValidFor: .binary) ? $0 : nil
            }
        }
    }

    /// Keeps unreadable data under another name.
    private func keep() {
        guard let object = defaults.object(forKey: name) else { return }
        var number = 1
        while defaults.object(forKey: "\(name).damaged-\(number)") != nil { number += 1 }
        defaults.set(object, forKey: "\(name).damaged-\(number)")
    }

    private func encode(_ value: Value) throws -> Data {
        guard let encode = coder.encode else { throw StorageError(place, .write, .notEncodable) }
        do { return try encode(value) } catch { throw StorageError(place, .write, .unencodable(error)) }
    }
}
