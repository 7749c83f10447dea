package import PromisedTesting

/// The laws of a promise. The type is described by functions, so they can be tested with other types as well.
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
/// Laws of an omitted function are not tested: without `map` there are no laws of `map`. Functions map values to values
/// of the same type. Random functions are readable in a counterexample: `{ 1 → 5, else 7 }`.
package struct PromiseLaws<Subject, Value: Equatable & Sendable, Outcome: Equatable & Sendable>: Sendable {
    /// Returns the promise that follows a value.
    package typealias Next = @Sendable (Value) -> Subject
    /// Returns the promise that follows an error.
    package typealias Recovery = @Sendable (any Error) -> Subject

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
    ///   - values: Returns a random value.
    ///   - pure: Returns a promise that is fulfilled with a value.
    ///   - flatMap: Continues with another promise after a value.
    ///   - map: Transforms the value.
    ///   - fail: Returns a promise that is rejected with an error.
    ///   - recover: Continues with another promise after an error.
    ///   - work: Returns a promise of lazy work, which must run once.
    ///   - samples: Returns further random promises to test.
    ///   - outcome: Runs a promise to its end. Promises with equal outcomes are equal: ``PromiseTrace`` compares
    ///     interim values and instants as well.
    package init(
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
    /// "recover right identity", "recover associativity", "laziness" and "once". Laws of functions that were omitted
    /// are missing.
    package var all: [Law] { mapLaws + flatMapLaws + errorLaws + recoverLaws + workLaws }
}

/// The error with which random promises are rejected.
package struct LawError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Distinguishes the error from others.
    package let number: Int

    /// Creates an error with a number.
    package init(_ number: Int) { self.number = number }

    /// The number after an "e", as in `e1`.
    package var description: String { "e\(number)" }
}
