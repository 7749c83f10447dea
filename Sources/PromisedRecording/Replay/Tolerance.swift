internal import PromisedSystem

/// Which differences between a recording and today's program count when it is run again.
///
/// ```swift
/// import PromisedRecording
///
/// let tolerance = Tolerance.fields.ignoring("page.requestID", "rows.lastSeen")
/// ```
public struct Tolerance: Sendable, Hashable {
    private let allowsFields: Bool
    private var ignored: Set<String> = []

    private init(allowsFields: Bool) { self.allowsFields = allowsFields }

    /// A property that only the recorded type had, or only today's has, is no difference: the result names it in its
    /// notes. A property that both have counts, an optional one as well, if the recording ever has a value of it.
    public static let fields = Tolerance(allowsFields: true)
    /// Each difference counts.
    public static let strict = Tolerance(allowsFields: false)

    /// The same, without parts of states, events and inputs of calls.
    ///
    /// - Parameter paths: Names of properties as they are encoded, such as `page.requestID`. Elements of an array have
    ///   the path of the array.
    public func ignoring(_ paths: String...) -> Tolerance {
        var tolerance = self
        tolerance.ignored.formUnion(paths)
        return tolerance
    }

    func isIgnored(_ path: String) -> Bool { ignored.contains(path) }
    var toleratesFields: Bool { allowsFields }
}

/// Compares recorded values with those of today.
struct ValueAgreement: Sendable {
    private let tolerance: Tolerance
    private let states: RecordedProperties
    /// The tolerated differences, in order.
    private(set) var notes: [String] = []
    /// By path: whether a property that one side lacks is tolerated.
    private var verdicts: [String: Bool] = [:]

    init(_ tolerance: Tolerance, _ states: RecordedProperties) {
        (self.tolerance, self.states) = (tolerance, states)
    }

    mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

    /// Whether a value agrees with the recorded one.
    ///
    /// - Parameter isState: Whether the values are states; otherwise they are events, or inputs of calls.
    mutating func agree(_ recorded: JSONValue, _ own: JSONValue, as type: Any.Type, isState: Bool = false)
        -> Bool
    {
        if recorded == own { return true }
        return agree(recorded, own, [], ValuePair(recorded: recorded, own: own, type: type, isState: isState))
    }

    private struct ValuePair {
        let recorded: JSONValue, own: JSONValue
        let type: Any.Type
        let isState: Bool
    }

    private mutating func agree(
        _ recorded: JSONValue, _ own: JSONValue, _ path: [ValuePathPart], _ pair: ValuePair
    ) -> Bool {
        if recorded == own || tolerance.isIgnored(path.names) { return true }
        switch (recorded, own) {
        case (.object(let recorded), .object(let own)):
            for member in recorded {
                let place = path + [.key(member.key)]
                let isSame =
                    own[member.key].map { agree(member.value, $0, place, pair) }
                    ?? isTolerated(place, pair, isOwn: false)
                if !isSame { return false }
            }
            return own.allSatisfy {
                recorded[$0.key] != nil || isTolerated(path + [.key($0.key)], pair, isOwn: true)
            }
        case (.array(let recorded), .array(let own)) where recorded.count == own.count:
            let isSame = zip(recorded, own).enumerated().allSatisfy {
                agree($1.0, $1.1, path + [.index($0)], pair)
            }
            return isSame || isInAnotherOrder(recorded, own, path, pair)
        default: return false
        }
    }

    /// Whether elements differ only in an order that has no meaning, as in a set: with that of the recorded ones, today's
    /// value is equal.
    private func isInAnotherOrder(
        _ recorded: [JSONValue], _ own: [JSONValue], _ path: [ValuePathPart], _ pair: ValuePair
    ) -> Bool {
        guard let type = pair.type as? any Decodable.Type,
            JSONValue.array(recorded).sorted == JSONValue.array(own).sorted
        else { return false }
        var other = pair.own
        try? ValuePatch.PatchOperation(path: path, values: [.array(recorded)]).apply(to: &other)
        func areEqual<Value: Decodable>(_: Value.Type) -> Bool {
            var repairs: [String] = []
            guard let one = try? pair.own.decode(Value.self, repairs: &repairs),
                let other = try? other.decode(Value.self, repairs: &repairs)
            else { return false }
            let difference = StateDiff(from: one, to: other)
            return difference.changes.isEmpty && difference.isComplete
        }
        return areEqual(type)
    }

    /// Whether a key that only one side has is tolerated: that of a property which the other side's type did not have.
    private mutating func isTolerated(_ path: [ValuePathPart], _ pair: ValuePair, isOwn: Bool) -> Bool {
        if tolerance.isIgnored(path.names) { return true }
        guard tolerance.toleratesFields else { return false }
        let name = "\(path.names): only in \(isOwn ? "today's" : "the recorded") \(pair.type)"
        let verdict = verdicts[name] ?? isNoProperty(path, pair, isOwn: isOwn)
        verdicts[name] = verdict
        if verdict { note(name) }
        return verdict
    }

    private func isNoProperty(_ path: [ValuePathPart], _ pair: ValuePair, isOwn: Bool) -> Bool {
        // Today's type drops a key that is no property of it, and keeps that of a dictionary or of an enum's case.
        guard isOwn else { return isDropped(path, of: pair.recorded, pair.type) }
        guard case .key(let key)? = path.last, let member = pair.own.value(at: path) else { return false }
        var (value, other) = (pair.own, path)
        other[path.count - 1] = .key("\(key)0")
        let changes = [
            ValuePatch.PatchOperation(path: path), ValuePatch.PatchOperation(path: other, values: [member]),
        ]
        for change in changes { try? change.apply(to: &value) }
        return isDropped(other, of: value, pair.type) && !(pair.isState && states.contain(path.keys))
    }

    /// Whether today's type reads the value, and would not write its part at the path.
    private func isDropped(_ path: [ValuePathPart], of value: JSONValue, _ type: Any.Type) -> Bool {
        guard let type = type as? any Decodable.Type else { return false }
        func written<Value: Decodable>(_: Value.Type) -> JSONValue? {
            var repairs: [String] = []
            return (try? value.decode(Value.self, repairs: &repairs)).flatMap { CodedValue($0).json }
        }
        return written(type).map { $0.value(at: path) == nil } ?? false
    }
}

/// The properties that the states of a recorded system have.
struct RecordedProperties: Sendable {
    let recording: Recording
    let system: String

    /// Whether any state has the property.
    ///
    /// - Parameter path: Its name, behind those of the properties that it is in, without indices.
    func contain(_ path: [String]) -> Bool {
        var stream = SystemStream(recording, system)
        while (try? stream.next()) ?? nil != nil {
            if case .value(let state) = stream.state, state.has(path[...]) { return true }
        }
        return false
    }
}

extension JSONValue {
    /// The value with the elements of each array in the order of their texts.
    fileprivate var sorted: JSONValue {
        if let elements = array { return .array(elements.map(\.sorted).sorted { $0.text < $1.text }) }
        return object.map { .object($0.map { .init($0.key, $0.value.sorted) }) } ?? self
    }

    fileprivate func has(_ path: ArraySlice<String>) -> Bool {
        guard let key = path.first else { return true }
        if let elements = array { return elements.contains { $0.has(path) } }
        return self[key]?.has(path.dropFirst()) ?? false
    }
}

extension [ValuePathPart] {
    /// The keys, without the indices.
    var keys: [String] { compactMap { if case .key(let key) = $0 { key } else { nil } } }
    /// The keys as one name, such as `lines.count`.
    var names: String { keys.joined(separator: ".") }
}
