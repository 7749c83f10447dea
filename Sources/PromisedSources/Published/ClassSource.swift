// Unchecked because it is open: its own storage is one checked constant, and each subclass has to state its own reason.

/// The class from which a ``SourceOf`` inherits: its subclasses are state sources.
///
/// Prefer a final class that conforms to ``StateSource``: the compiler checks it for data races, which it can't do with
/// a class that can have subclasses.
open class ClassSource<Model: Sendable>: @unchecked Sendable {
    /// Holds the model.
    public let state: SourceState<Model>

    /// Creates a source whose calls are not recorded.
    public init() { state = SourceState() }

    /// - Parameter log: Records the calls of the source's actions; see ``SourceState/init(log:)``.
    public init(log: ActionLog) { state = SourceState(log: log) }
}

/// A state source as a subclass, the spelling of the published Source Architecture.
///
/// ```swift
/// import PromisedSources
///
/// struct Counter: Sendable { let count: Int, add: Action<Int> }
///
/// final class CounterSource: SourceOf<Counter>, @unchecked Sendable {
///     @Action(CounterSource.add, at: \.add) private var addAction
///
///     lazy var initialModel = Counter(count: 0, add: addAction)
///
///     private func add(_ number: Int) { model = Counter(count: model.count + number, add: addAction) }
/// }
///
/// let counter = CounterSource().eraseToSource()
/// counter.value.add(2)
/// print(counter.value.count)
/// ```
///
/// The compiler does not check such a class for data races: what it stores besides the model must be a constant or a
/// ``Threadsafe`` value.
public typealias SourceOf<Model: Sendable> = ClassSource<Model> & StateSource
