internal import Promise
internal import Synchronization

/// The findings of an exploration on all of its paths together.
@usableFromInline
final class Findings: Sendable {
    struct Notes: Sendable {
        var outside: [String] = []
        var incomparable: Set<String> = []
        /// The gaps that remain until something is checked or seen, and those of them that are none any more.
        var expected: [Gap] = []
        var met: Set<Gap> = []
        var hasRested = false
        /// The bounds at which configurations were not expanded.
        var bounds: [String] = []
        var hasLeftOutEvents = false
        var covered = CoverageRecord()
        /// The names of all that is declared.
        var properties: [String] = []
    }

    /// Numbers for values of any type; nil where configurations are not compared.
    @usableFromInline let numbers: WorldNumbers?
    /// How many values have numbers.
    let values: ValueCount
    private let dependencyBits = Atomic<UInt8>(0)
    private let content = Lock(Notes())

    /// Whether equal states have equal numbers.
    let comparesStates: Bool
    /// Whether unequal states may have equal numbers, and differ in something that matters later.
    let hasView: Bool
    /// The properties that are not checked, because their violations are known.
    private let ignored: Set<String>

    @usableFromInline
    init(
        _ numbers: WorldNumbers?, _ values: ValueCount = ValueCount(), comparesStates: Bool = false,
        hasView: Bool = false, ignoring ignored: Set<String> = []
    ) {
        (self.numbers, self.values, self.comparesStates) = (numbers, values, comparesStates)
        (self.hasView, self.ignored) = (hasView, ignored)
    }

    func ignores(_ property: String) -> Bool { !ignored.isEmpty && ignored.contains(property) }

    /// The dependencies of the systems that were found.
    var dependencies: Dependencies { Dependencies(rawValue: dependencyBits.load(ordering: .relaxed)) }

    func noteDependency(on dependencies: Dependencies) {
        dependencyBits.bitwiseOr(dependencies.rawValue, ordering: .relaxed)
    }

    /// The notes so far.
    var notes: Notes {
        get {
            var notes = content.withLock { $0 }
            notes.incomparable.formUnion(values.irreflexiveTypes)
            return notes
        }
        set { content.withLock { $0 = newValue } }
    }

    /// Notes something outside of the world that the system may depend on.
    func noteOutside(_ what: String) {
        content.withLock { if !$0.outside.contains(what) { $0.outside.append(what) } }
    }

    @usableFromInline
    func noteIncomparable(_ type: Any.Type) { content.withLock { _ = $0.incomparable.insert("\(type)") } }

    /// Whether configurations are not compared, or a gap says that they may count as equal, or as different, and are not.
    var hasDoubts: Bool {
        numbers == nil || hasView || isAnyIncomparable || content.withLock { !$0.outside.isEmpty }
    }

    /// Whether a value has a new number each time, so that a path leads to other numbers when it is repeated.
    var isAnyIncomparable: Bool { !notes.incomparable.isEmpty }

    /// Prepares for a search, before its first path.
    func begin(_ dependencies: Dependencies) {
        dependencyBits.store(dependencies.rawValue, ordering: .relaxed)
    }

    /// Notes the names of the declarations, and the gaps that remain until each is checked or seen.
    func expect(_ properties: [String], _ gaps: [Gap]) {
        content.withLock { content in
            content.properties = properties
            for gap in gaps where !content.expected.contains(gap) { content.expected.append(gap) }
        }
    }

    func hasMet(_ gap: Gap) -> Bool { content.withLock { $0.met.contains(gap) } }
    func meets(_ gap: Gap) { content.withLock { _ = $0.met.insert(gap) } }

    func noteBound(_ bound: String) {
        content.withLock { if !$0.bounds.contains(bound) { $0.bounds.append(bound) } }
    }

    func noteLeftOutEvent() { content.withLock { $0.hasLeftOutEvents = true } }

    /// Notes that an event, if it has a number, has changed something.
    func cover(_ event: Int) { if event >= 0 { content.withLock { $0.covered.add(event) } } }

    /// Changes the coverage.
    func cover(_ change: (inout CoverageRecord) -> Void) { content.withLock { change(&$0.covered) } }
    func isCovered(_ condition: (CoverageRecord) -> Bool) -> Bool {
        content.withLock { condition($0.covered) }
    }
    var covered: CoverageRecord { content.withLock { $0.covered } }

    func noteRest() { content.withLock { $0.hasRested = true } }

    /// - Parameter isCut: Whether configurations were left out, which matters for those that cannot be compared.
    func gaps(isCut: Bool) -> [Gap] {
        let incomparable = notes.incomparable
        return content.withLock { content in
            (isCut ? incomparable.sorted().map(Gap.incomparable) : [])
                + content.outside.map(Gap.outside)
                + content.expected.filter { gap in
                    if case .neverAtRest = gap, content.hasRested { return false }
                    return !content.met.contains(gap)
                }
                + content.bounds.map(Gap.bound)
                + (content.hasLeftOutEvents ? [.events] : [])
                + (hasView ? [.view] : [])
        }
    }
}
