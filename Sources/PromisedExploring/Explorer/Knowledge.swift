internal import Promise
internal import Synchronization

/// What an exploration has learned on all of its paths together.
@usableFromInline
final class Knowledge: Sendable {
    private struct Content: Sendable {
        var outside: [String] = []
        var incomparable: Set<String> = []
        /// The properties at rest that were declared, and whether there was a rest.
        var restProperties: [String] = []
        var hasRested = false
    }

    /// Numbers for values of any type; nil where configurations are not compared.
    @usableFromInline let numbers: WorldNumbers?
    private let clockIsRead = Atomic(false)
    private let content = Lock(Content())

    /// Whether equal states have equal numbers.
    let comparesStates: Bool

    @usableFromInline
    init(_ numbers: WorldNumbers?, comparesStates: Bool = false) {
        (self.numbers, self.comparesStates) = (numbers, comparesStates)
    }

    /// Whether the explored system's own code reads the clock: then the time is part of a configuration.
    var isClockRead: Bool {
        get { clockIsRead.load(ordering: .relaxed) }
        set { clockIsRead.store(newValue, ordering: .relaxed) }
    }

    /// Notes something outside of the world that the system may depend on.
    func noteOutside(_ what: String) {
        content.withLock { if !$0.outside.contains(what) { $0.outside.append(what) } }
    }

    @usableFromInline
    func noteIncomparable(_ type: Any.Type) { content.withLock { _ = $0.incomparable.insert("\(type)") } }

    func note(restProperties: [String]) { content.withLock { $0.restProperties = restProperties } }
    func noteRest() { content.withLock { $0.hasRested = true } }

    /// - Parameter isCut: Whether configurations were left out, which matters for those that cannot be compared.
    func gaps(isCut: Bool) -> [Gap] {
        content.withLock { content in
            (isCut ? content.incomparable.sorted().map(Gap.incomparable) : [])
                + content.outside.map(Gap.outside)
                + (content.hasRested ? [] : content.restProperties.map(Gap.neverAtRest))
        }
    }
}
