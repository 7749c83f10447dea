internal import PromisedModels

/// The events and the preferences of a store under test.
struct TestLog: Sendable {
    struct Sent: Sendable {
        let event: any Sendable
        let sender: any Model
        let number: Int
        var isReceived = false
    }

    struct Preference: Sendable {
        let key: ObjectIdentifier
        let keyName: String
        let model: String
        /// The number of the model, and of those that were above it when it set the preference.
        let lineage: [Int]
    }

    var events: [Sent] = []
    /// The stores of the models that are dependencies.
    var guests: [any AnyAccount] = []
    /// The preferences that were set and not asserted: one for each key and model.
    private(set) var preferences: [Preference] = []

    mutating func set(_ key: Any.Type, _ model: String, _ lineage: [Int]) {
        let id = ObjectIdentifier(key)
        preferences.removeAll { $0.key == id && $0.lineage.first == lineage.first }
        preferences.append(.init(key: id, keyName: "\(key)", model: model, lineage: lineage))
    }

    /// Accounts for the preferences that a model and those below it have set.
    mutating func accountForPreferences(_ key: Any.Type, of number: Int) {
        preferences.removeAll { $0.key == ObjectIdentifier(key) && $0.lineage.contains(number) }
    }
}
