internal import Foundation
internal import PromisedSystem

/// The changes of recorded values before they are written, so that secrets are left out: of states, events, errors,
/// and inputs and results of calls.
///
/// ```swift
/// import PromisedRecording
///
/// struct Account: Codable, Sendable { var name = "", token = "" }
/// enum Request: Codable, Sendable { case logIn(name: String, password: String), refresh }
///
/// let redaction = Redaction()
///     .replacing(\Account.token, by: "•")
///     .hiding { (request: inout Request) in
///         if case .logIn(let name, _) = request { request = .logIn(name: name, password: "•") }
///     }
/// ```
///
/// A change applies to each recorded value of its type: to the whole value, to parts of a tuple, and to elements of
/// optionals, arrays and dictionaries, but not to properties. So a secret that states, events and results of calls hold
/// needs a change of each of these types. Changes of `EffectKey` apply to the keys of effects and of delayed events.
///
/// The changes are applied on a queue of the recorder, before a value is encoded or described.
public struct Redaction: Sendable {
    private struct Change: Sendable {
        let apply: @Sendable (Any) -> Any
    }

    private var changes: [ObjectIdentifier: [Change]] = [:]
    private var allowedPaths: Set<String>?

    /// Creates a redaction that leaves nothing out.
    public init() {}

    /// A redaction that replaces each text by "•": in values, in descriptions of values, and in keys. Numbers remain.
    ///
    /// Such a recording can be looked at, and not be run again.
    ///
    /// - Parameter paths: Texts in states that remain, such as `page.address.city`: the name of the system, and the
    ///   names of properties as they are encoded. Elements of an array have the path of the array.
    public static func allTexts(except paths: Set<String> = []) -> Redaction {
        var redaction = Redaction()
        redaction.allowedPaths = paths
        return redaction
    }

    /// The same, with a part of each value of a type replaced.
    public func replacing<Root: Sendable, Value: Sendable>(
        _ path: any WritableKeyPath<Root, Value> & Sendable, by value: Value
    ) -> Redaction {
        hiding { (root: inout Root) in root[keyPath: path] = value }
    }

    /// The same, with a change of each value of a type.
    ///
    /// - Parameter change: Called on a queue of the recorder.
    public func hiding<Value: Sendable>(_ change: @escaping @Sendable (inout Value) -> Void) -> Redaction {
        var redaction = self
        let change = Change { value in
            guard var changed = value as? Value else { return value }
            change(&changed)
            return changed
        }
        redaction.changes[ObjectIdentifier(Value.self), default: []].append(change)
        return redaction
    }

    // MARK: For the writer

    var masksTexts: Bool { allowedPaths != nil }

    /// - Parameter path: Where texts may remain if they are masked; nil for nowhere.
    func code(_ value: Any, at path: String? = nil) -> CodedValue {
        var coded = CodedValue(value, marksKeys: masksTexts) { changed($0) }
        guard let allowedPaths else { return coded }
        coded.json = coded.json?.masked(path, allowedPaths)
        if coded.text != nil { coded.text = JSONValue.mask }
        return coded
    }

    func text(of error: any Error) -> String {
        masksTexts ? JSONValue.mask : ValueText(changed(error)).description
    }

    /// A key as a number or a text; one of another type as a member `text`, null for work that has none.
    func json(of key: EffectKey) -> JSONValue {
        let key: EffectKey = changed(key)
        let text = key.description
        if let number = Int(text), EffectKey(number) == key { return .number(number) }
        if key.isUnnamed { return .null }
        let shown = JSONValue.string(masksTexts ? JSONValue.mask : text)
        return EffectKey(text) == key ? shown : .object(["text": shown])
    }

    fileprivate func changed(_ value: Any) -> Any {
        if changes.isEmpty { return value }
        if let changes = changes[ObjectIdentifier(type(of: value))] {
            return changes.reduce(value) { $1.apply($0) }
        }
        return (value as? any ValueContainer)?.changed(by: self) ?? value
    }
}

/// A value that holds others, to which a redaction applies.
private protocol ValueContainer {
    func changed(by redaction: Redaction) -> Any
}

extension Redaction {
    fileprivate func changed<Value>(_ value: Value) -> Value { changed(value as Any) as? Value ?? value }
}

extension Optional: ValueContainer {
    fileprivate func changed(by redaction: Redaction) -> Any { map { redaction.changed($0) } as Any }
}

extension Array: ValueContainer {
    fileprivate func changed(by redaction: Redaction) -> Any { map { redaction.changed($0) } }
}

extension Dictionary: ValueContainer {
    fileprivate func changed(by redaction: Redaction) -> Any { mapValues { redaction.changed($0) } }
}

// MARK: Masking

extension JSONValue {
    fileprivate static let mask = "•"

    /// The value with its texts masked, and the keys that are not names of properties: those of dictionaries, say.
    fileprivate func masked(_ path: String?, _ allowed: Set<String>) -> JSONValue {
        switch self {
        case .null, .bool, .number: return self
        case .string: return path.map(allowed.contains) == true ? self : .string(Self.mask)
        case .array(let elements): return .array(elements.map { $0.masked(path, allowed) })
        case .object(let members):
            var masked: [JSONMember] = []
            for member in members {
                let name = CodedValue.name(ofMarked: member.key)
                let value = member.value.masked(
                    path.flatMap { path in name.map { "\(path).\($0)" } }, allowed)
                masked.set(name ?? "\(Self.mask)\(masked.count)", to: value)
            }
            return .object(masked)
        }
    }
}

extension Redaction {
    /// Nil for the policy `queue`.
    func json(of policy: EventPolicy) -> JSONValue? {
        switch policy {
        case .queue: nil
        case .replace: .string("replace")
        case .dropWhileBusy: .string("dropWhileBusy")
        case .debounce(let pause, let key, let keepsOrder):
            .object([
                "debounce": .number(pause.nanoseconds), "key": json(of: key),
                "keepsOrder": .bool(keepsOrder),
            ])
        case .throttle(let window, let edges, let key, let keepsOrder):
            .object([
                "throttle": .number(window.nanoseconds), "edges": .string("\(edges)"),
                "key": json(of: key),
                "keepsOrder": .bool(keepsOrder),
            ])
        }
    }
}
