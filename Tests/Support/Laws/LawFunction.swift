internal import PromisedTesting

/// A random function with a readable description: a table of inputs and outputs, and one output for all other inputs.
struct LawFunction<Input: Equatable & Sendable, Output: Sendable>: Sendable, CustomStringConvertible {
    private let pairs: [(input: Input, output: Output)]
    private let otherwise: Output

    /// - Parameters:
    ///   - inputs: Inputs that the function may be called with.
    ///   - output: Creates a random output.
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
