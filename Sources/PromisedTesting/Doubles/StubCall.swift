/// A call of a ``Stub``, and what became of it.
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
    /// What became of a call.
    public enum State: Sendable, Hashable {
        /// It waits for the test.
        case open
        /// It has got its value.
        case fulfilled
        /// It has got an error.
        case rejected
        /// Nobody wants its answer any more.
        case cancelled
    }

    /// The how many-th call it is, from 1.
    public let number: Int
    /// What it was given.
    public let input: Input
    /// What became of it.
    public internal(set) var state = State.open

    /// Whether it waits for the test.
    public var isOpen: Bool { state == .open }
    /// Whether nobody wants its answer any more.
    public var isCancelled: Bool { state == .cancelled }

    /// Its number, what it was given, and what became of it.
    public var description: String { "\(number). \(StubCalls<Input>.text(input)): \(state)" }
}

/// Which call of a ``Stub`` is meant.
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
    enum Kind: Sendable {
        case oldest, newest, number(Int)
        case first(String, @Sendable (Input) -> Bool)
    }

    let kind: Kind

    /// The one that has been open for longest.
    public static var oldest: StubChoice { StubChoice(kind: .oldest) }
    /// The one that was begun last of those that are open.
    public static var newest: StubChoice { StubChoice(kind: .newest) }
    /// The how many-th call, from 1, those counted that are over.
    public static func number(_ number: Int) -> StubChoice { StubChoice(kind: .number(number)) }
    /// The oldest open one whose input is meant.
    public static func first(where isMeant: @escaping @Sendable (Input) -> Bool) -> StubChoice {
        StubChoice(kind: .first("that is meant", isMeant))
    }

    /// The oldest open one with these inputs.
    public static func with<each Part: Equatable & Sendable>(_ input: repeat each Part) -> StubChoice
    where Input == (repeat each Part) {
        let wanted = (repeat each input)
        return StubChoice(
            kind: .first("with \(StubCalls<Input>.text(wanted))") { given in
                for (left, right) in repeat (each given, each wanted) {
                    guard left == right else { return false }
                }
                return true
            })
    }
}
