/// Properties that the states of a system have to have.
///
/// ```swift
/// import PromisedRecording
///
/// struct Account: Codable, Sendable { var balance = 0, isLocked = false, payments = 0 }
///
/// let rules = Invariants<Account> { rules in
///     rules.always("the balance is not negative") { $0.balance >= 0 }
///     rules.wheneverSettled("nothing is locked") { !$0.isLocked }
///     rules.never("a payment is undone", { $0.payments == 0 }, after: { $0.payments > 0 })
/// }
/// ```
public struct Invariants<State: Sendable>: Sendable {
    enum Rule: Sendable {
        case always(@Sendable (State) -> Bool)
        case wheneverSettled(@Sendable (State) -> Bool)
        case never(@Sendable (State) -> Bool, after: @Sendable (State) -> Bool)
    }

    private(set) var rules: [(name: String, rule: Rule)] = []

    /// Creates a list.
    ///
    /// - Parameter declare: Adds the properties; called once, before this returns.
    public init(_ declare: (inout Invariants) -> Void = { _ in }) { declare(&self) }

    /// Each shown state has to have a property, interim states included.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - holds: A pure function.
    public mutating func always(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        rules.append((name, .always(holds)))
    }

    /// Each state has to have a property at which a turn has ended, and no other one is running.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - holds: A pure function.
    public mutating func wheneverSettled(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        rules.append((name, .wheneverSettled(holds)))
    }

    /// No state of a kind may be shown after one of another kind was.
    ///
    /// - Parameters:
    ///   - name: The name in reports.
    ///   - isForbidden: A pure function: whether the state must not be shown any more.
    ///   - isCause: A pure function: whether it must not be shown from the next state on.
    public mutating func never(
        _ name: String, _ isForbidden: @escaping @Sendable (State) -> Bool,
        after isCause: @escaping @Sendable (State) -> Bool
    ) { rules.append((name, .never(isForbidden, after: isCause))) }
}

/// A recorded state that violates a property.
public struct InvariantViolation: Sendable, Hashable, CustomStringConvertible {
    /// The name of the property.
    public let name: String
    /// The turn of the recording in which the state was shown.
    public let turn: Int
    /// The path of the recording, and the number of the line from 1.
    public let path: String, line: Int
    /// The state, as recorded.
    public let state: String

    /// The property, the place and the state.
    public var description: String {
        "\(path):\(line): turn \(turn) violates '\(name)': \(state)".escapedForTerminal
    }
}

extension Recording {
    /// Checks the recorded states of a system for properties. Nothing is run.
    ///
    /// ```swift
    /// import PromisedRecording
    ///
    /// func check(_ recording: Recording) throws {
    ///     for violation in try recording.check(Int.self, of: "counter", { $0.always("positive") { $0 >= 0 } }) {
    ///         print(violation)
    ///     }
    /// }
    /// ```
    ///
    /// States that are not known, because lines are missing or damaged, are left out.
    ///
    /// - Parameters:
    ///   - state: The type of the states.
    ///   - name: The name of the system in the recording.
    ///   - declare: Adds the properties.
    /// - Returns: The first violation of each property.
    /// - Throws: A ``RecordingError`` if the recording has no such system, if its states were recorded as text or are
    ///   no `State`, or if the file cannot be read.
    public func check<State: Codable & Sendable>(
        _ state: State.Type, of name: String, _ declare: (inout Invariants<State>) -> Void
    ) throws(RecordingError) -> [InvariantViolation] {
        try check(Invariants(declare), of: name)
    }

    /// The same, with a list that was made before.
    public func check<State: Codable & Sendable>(
        _ invariants: Invariants<State>, of name: String
    ) throws(RecordingError) -> [InvariantViolation] {
        // Checks the name as well.
        _ = try playback(of: name, State.self)
        var (stream, violations) = (SystemStream(self, name), [InvariantViolation]())
        var (caused, open, last): (Set<Int>, Set<JSONValue>, (JSONValue, State)?) = ([], [], nil)
        while let fact = try stream.next() {
            if fact.isGap { open = [] }
            // Another session has no causes yet.
            if fact.kind == .recording { caused = [] }
            if let turn = fact["turn"] {
                if fact.kind == .begin { open.insert(turn) } else { open.remove(turn) }
            }
            guard [.system, .turn, .shown, .write, .key].contains(fact.kind),
                case .value(let value) = stream.state
            else { continue }
            if last?.0 != value { last = (value, try decode(value, at: fact.turn).state) }
            guard let state = last?.1 else { continue }
            let isInFlight = fact.kind == .key ? stream.hasOpenWork(at: fact) : !open.isEmpty
            let isSettled = fact.kind != .shown && !isInFlight
            for (index, (name, rule)) in invariants.rules.enumerated() {
                var isViolated = false
                switch rule {
                case .always(let holds): isViolated = !holds(state)
                case .wheneverSettled(let holds): isViolated = isSettled && !holds(state)
                case .never(let isForbidden, after: let isCause):
                    isViolated = caused.contains(index) && isForbidden(state)
                    if isCause(state) { caused.insert(index) }
                }
                guard isViolated, !violations.contains(where: { $0.name == name }) else { continue }
                violations.append(
                    .init(
                        name: name, turn: fact.turn, path: file.path, line: fact.line, state: value.shortText)
                )
            }
        }
        return violations
    }
}
