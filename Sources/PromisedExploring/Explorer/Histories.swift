internal import Promise

/// Numbers for histories: what a piece of work was started with, and everything that it has learned since.
///
/// A history has the number of its predecessor and of what was added. Equal histories have equal numbers, so comparing
/// two histories is comparing two numbers, however long they are.
@usableFromInline
final class Histories: Sendable {
    /// What is added to a history.
    enum Kind: UInt8, Sendable {
        /// The start of a transition: its event, and the state.
        case transition
        /// The start of an effect, by what its feedback was given, or by its key alone.
        case effect, keyed
        /// An answer to a call: the place of the call, and the choice.
        case answer
        case timer, clock, variable
        /// A changed request, or a broadcast, that running work receives.
        case update, broadcast
        /// The outcome of a promise that other work had started.
        case shared
        /// A step of the path, for work that may depend on everything.
        case send, tick, between, path
        /// A path to a configuration.
        case configuration
        /// An evaluation of a feedback: what it was given, and what it read.
        case occasion, reading
        /// What middleware or a feedback with a memory was given.
        case memory
    }

    private struct Entry: Hashable {
        let kind: Kind
        let before: Int
        let first: Int
        let second: Int
    }

    private let numbers = Lock<[Entry: Int]>([:])

    @usableFromInline
    init() {}

    /// The history `before` with an addition. The number 0 is the empty history.
    func adding(_ kind: Kind, _ first: Int, _ second: Int = 0, to before: Int = 0) -> Int {
        let entry = Entry(kind: kind, before: before, first: first, second: second)
        return numbers.withLock { numbers in
            if let number = numbers[entry] { return number }
            numbers[entry] = numbers.count + 1
            return numbers.count
        }
    }
}
