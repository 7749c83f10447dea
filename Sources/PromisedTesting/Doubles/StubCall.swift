import PromisedSystem

/// A call of a ``Stub``, with its input and its state.
///
/// ```swift
/// import Promise
/// import PromisedTesting
///
/// let price = Stub<String, Int>("price")
/// let tea = price("tea").start()
/// print(price.calls[0].state)
/// tea.cancel()
/// print(price.calls[0].isCancelled)
/// ```
public struct StubCall<Input: Sendable>: Sendable, CustomStringConvertible {
    /// Whether a call is open, and how it ended if it is not.
    public enum State: Sendable, Hashable {
        /// Neither settled by the test nor cancelled yet.
        case open
        /// The test has fulfilled it with a value.
        case fulfilled
        /// The test has rejected it with an error.
        case rejected
        /// The code under test has cancelled it before it was settled.
        case cancelled
    }

    /// The position of the call among all calls of the stub, from 1.
    public let number: Int
    /// The input with which the dependency was called.
    public let input: Input
    /// The state of the call when the stub's calls were read; a copy is not updated.
    public internal(set) var state = State.open

    /// Whether the call is neither settled nor cancelled.
    public var isOpen: Bool { state == .open }
    /// Whether the code under test cancelled the call before it was settled.
    public var isCancelled: Bool { state == .cancelled }

    /// The number, the input and the state of the call.
    public var description: String { "\(number). \(StubCalls<Input>.text(input)): \(state)" }
}

/// Selects a call of a ``Stub``.
///
/// ```swift
/// import Promise
/// import PromisedTesting
///
/// let price = Stub<String, Int>("price")
/// for name in ["tea", "mug", "lamp"] { price(name).start() }
/// price.fulfill(3, call: .with("mug"))
/// price.fulfill(5, call: .number(3))
/// print(price.calls)
/// ```
public struct StubChoice<Input: Sendable>: Sendable {
    enum Completion: Sendable {
        case oldest, newest, number(Int)
        case first(String, @Sendable (Input) -> Bool)
    }

    let kind: Completion

    /// The open call that began first.
    public static var oldest: StubChoice { StubChoice(kind: .oldest) }
    /// The open call that began last.
    public static var newest: StubChoice { StubChoice(kind: .newest) }
    /// The call with this number, from 1; calls that are no longer open count too.
    public static func number(_ number: Int) -> StubChoice { StubChoice(kind: .number(number)) }
    /// The oldest open call whose input satisfies a predicate.
    public static func first(where predicate: @escaping @Sendable (Input) -> Bool) -> StubChoice {
        StubChoice(kind: .first("that the closure accepts", predicate))
    }

    /// The oldest open call with these inputs.
    public static func with<each Part: Equatable & Sendable>(_ input: repeat each Part) -> StubChoice
    where Input == (repeat each Part) {
        let wanted = (repeat each input)
        return StubChoice(
            kind: .first("with \(StubCalls<Input>.text(wanted))") { given in
                for (left, right) in repeat (each given, each wanted) {
                    guard areAlike(left, right) else { return false }
                }
                return true
            })
    }
}
