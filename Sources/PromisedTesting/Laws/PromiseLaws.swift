/// The laws of a promise, for a type of your own that is like one: said by functions, so that it need not conform to
/// anything.
///
/// ```swift
/// import PromisedTesting
///
/// let optional = PromiseLaws<Int?, Int, Int?>(
///     values: { Int.random(in: 0...9, using: &$0) },
///     pure: { $0 },
///     flatMap: { value, next in value.flatMap(next) },
///     map: { value, transform in value.map(transform) },
///     fail: { _ in nil },
///     outcome: { $0 })
/// checkLaws(optional.all)
/// ```
///
/// What is left out is not tried: without `map` there are no laws of `map`. Functions are from values to values of the
/// same type. Their random forms can be read in a counterexample: `{ 1 → 5, else 7 }`.
public struct PromiseLaws<Subject, Value: Equatable & Sendable, Outcome: Equatable & Sendable>: Sendable {
    /// Makes a promise of a value into the next.
    public typealias Next = @Sendable (Value) -> Subject
    /// Makes a promise of an error.
    public typealias Recovery = @Sendable (any Error) -> Subject

    let values: @Sendable (inout LawRandom) -> Value
    let pure: Next
    let flatMap: @Sendable (Subject, @escaping Next) -> Subject
    let map: (@Sendable (Subject, @escaping @Sendable (Value) -> Value) -> Subject)?
    let fail: Recovery?
    let recover: (@Sendable (Subject, @escaping Recovery) -> Subject)?
    let work: (@Sendable (@escaping @Sendable () -> Value) -> Subject)?
    let samples: (@Sendable (inout LawRandom) -> Subject)?
    let outcome: @Sendable (Subject) -> Outcome

    /// - Parameters:
    ///   - values: Random values.
    ///   - pure: What is fulfilled with a value.
    ///   - flatMap: What goes on with another.
    ///   - map: What transforms the value.
    ///   - fail: What is rejected with an error.
    ///   - recover: What goes on with another after an error.
    ///   - work: What is made of work, which it does later, and once.
    ///   - samples: Others that are to be tried as well.
    ///   - outcome: Runs one to its end. Two are equal whose outcomes are: ``PromiseTrace`` compares interim values
    ///     and instants too.
    public init(
        values: @escaping @Sendable (inout LawRandom) -> Value, pure: @escaping Next,
        flatMap: @escaping @Sendable (Subject, @escaping Next) -> Subject,
        map: (@Sendable (Subject, @escaping @Sendable (Value) -> Value) -> Subject)? = nil,
        fail: Recovery? = nil, recover: (@Sendable (Subject, @escaping Recovery) -> Subject)? = nil,
        work: (@Sendable (@escaping @Sendable () -> Value) -> Subject)? = nil,
        samples: (@Sendable (inout LawRandom) -> Subject)? = nil,
        outcome: @escaping @Sendable (Subject) -> Outcome
    ) {
        (self.values, self.pure, self.flatMap, self.map) = (values, pure, flatMap, map)
        (self.fail, self.recover, self.work, self.samples) = (fail, recover, work, samples)
        self.outcome = outcome
    }

    /// The laws, by name: "map identity", "map composition", "map by flatMap", "left identity", "right identity",
    /// "associativity", "error through map", "error through flatMap", "value through recover", "recover left identity",
    /// "recover right identity", "recover associativity", "laziness" and "once"; those left out whose functions are.
    public var all: [Law] { mapLaws + flatMapLaws + errorLaws + recoverLaws + workLaws }
}

/// The errors of random promises.
public struct LawError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Tells it from others.
    public let number: Int

    /// An error with a number.
    public init(_ number: Int) { self.number = number }

    /// Its number.
    public var description: String { "e\(number)" }
}
