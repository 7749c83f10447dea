/// A source that is put together from others, and has no logic of its own.
///
/// ```swift
/// import PromisedSources
///
/// let sum = ComposedSource {
///     Source.constant(3).combined(with: .constant(4)).map { $0 + $1 }
/// }
/// print(sum.eraseToSource().value)
/// ```
public final class ComposedSource<Model: Sendable>: Sendable {
    private let build: @Sendable () -> Source<Model>
    private let built = OnceValue<Source<Model>>()

    /// - Parameter build: Puts the source together. Called once, at the first call of ``eraseToSource()`` and on its
    ///   thread.
    public init(_ build: @escaping @Sendable () -> Source<Model>) { self.build = build }

    /// The source: the same one each time.
    public func eraseToSource() -> Source<Model> { built.value(build) }
}
