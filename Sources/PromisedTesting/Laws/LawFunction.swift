/// A random function that can be read: what it makes of some values, and of all others.
struct LawFunction<Input: Equatable & Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
    private let pairs: [(input: Input, output: Output)]
    private let otherwise: Output

    /// - Parameters:
    ///   - inputs: Values that it may be called with.
    ///   - output: Makes what it returns.
    init(_ random: inout LawRandom, _ inputs: [Input], _ output: (inout LawRandom) -> Output) {
        otherwise = output(&random)
        var pairs: [(Input, Output)] = []
        for input in inputs where !Bool.random(using: &random) {
            if !pairs.contains(where: { $0.0 == input }) { pairs.append((input, output(&random))) }
        }
        self.pairs = pairs
    }

    func callAsFunction(_ input: Input) -> Output { pairs.first { $0.input == input }?.output ?? otherwise }

    var description: String {
        guard !pairs.isEmpty else { return "{ _ in \(otherwise) }" }
        return "{ " + pairs.map { "\($0.input) → \($0.output), " }.joined() + "else \(otherwise) }"
    }
}
