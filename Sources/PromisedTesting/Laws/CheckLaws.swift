/// Tests laws with random cases. Fails the test for each law that does not hold, with a counterexample that is shrunk
/// as far as possible.
///
/// ```swift
/// import PromisedTesting
///
/// let least = Law("least", "min(a, b) is at most a") { random in
///     let (a, b) = (Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random))
///     return min(a, b) <= a ? nil : .init(["a": a, "b": b], ["min": min(a, b)])
/// }
/// checkLaws([least], cases: 500, seed: 7)
/// ```
///
/// - Parameters:
///   - laws: The laws, such as ``ReducerLaws/all`` and ``ScopeLaws/all``; not empty.
///   - cases: The number of cases for each law; more than zero.
///   - seed: The seed of the first case; each following case uses the next number. A seed always gives the same case.
///   - leavingOut: The names of laws that need not hold, each with the reason. The test fails if no law has that name.
public func checkLaws(
    _ laws: [Law], cases: Int = 200, seed: UInt64 = 1, leavingOut: [String: String] = [:],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) {
    let place = TestPlace(fileID, filePath, line, column)
    let tried = laws.filter { leavingOut[$0.name] == nil }
    guard !tried.isEmpty, cases > 0 else {
        return fail(
            """
            Nothing was tried: there are \(laws.count) laws, of which \(laws.count - tried.count) are left out, and \(cases) cases \
            of each.

            Give checkLaws at least one law and one case. A suite has no laws when it was given nothing to try them on.
            """, place)
    }
    for name in leavingOut.keys.sorted() where !laws.contains(where: { $0.name == name }) {
        fail(
            """
            There is no law "\(name)" to leave out. The laws are:

            \(laws.map { "    \($0.name)" }.joined(separator: "\n"))

            Name one of them, or leave out none.
            """, place)
    }
    for law in tried {
        guard let (number, example) = law.counterexample(cases: cases, seed: seed) else { continue }
        fail(
            """
            The law "\(law.name)" does not hold: \(law.statement). But:

            \(example.description.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))

            Shrunk from case \(number) of \(cases) with seed \(seed). Fix what breaks the law, or leave it out and say \
            why: leavingOut: ["\(law.name)": "…"].
            """, place)
    }
}
