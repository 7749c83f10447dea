/// The calls of a stub: finds the selected one, and makes the failure text if there is none.
struct StubCalls<Input: Sendable>: Sendable {
    /// Why the selected call cannot be settled.
    enum Refusal: Error {
        case noneOpen
        case noneMatching(String)
        case unknown(Int)
        case isOver(Int)
    }

    private(set) var all: [StubCall<Input>] = []

    mutating func begin(_ input: Input) -> Int {
        all.append(StubCall(number: all.count + 1, input: input))
        return all.count
    }

    /// Sets the final state of a call. A no-op if it has already ended, so that it is not cancelled after it was
    /// settled.
    mutating func end(_ number: Int, _ state: StubCall<Input>.State) {
        if all[number - 1].isOpen { all[number - 1].state = state }
    }

    func find(_ choice: StubChoice<Input>) -> Result<Int, Refusal> {
        let found: StubCall<Input>?
        var refusal = Refusal.noneOpen
        switch choice.kind {
        case .oldest: found = all.first(where: \.isOpen)
        case .newest: found = all.last(where: \.isOpen)
        case .number(let number):
            guard all.indices.contains(number - 1) else { return .failure(.unknown(number)) }
            found = all[number - 1].isOpen ? all[number - 1] : nil
            refusal = .isOver(number)
        case .first(let name, let predicate):
            found = all.first { $0.isOpen && predicate($0.input) }
            refusal = .noneMatching(name)
        }
        return found.map { .success($0.number) } ?? .failure(refusal)
    }

    // MARK: Texts

    static func text(_ input: Input) -> String { input is Void ? "()" : "\(input)" }

    private var list: String { all.map { "    \($0)" }.joined(separator: "\n") }

    /// The failure text for a call that cannot be settled.
    ///
    /// - Parameters:
    ///   - state: The state it should have got; nil if it should have reported an interim value.
    ///   - replacement: Where the stub was created that answers further calls; nil if it is this one.
    func text(
        _ refusal: Refusal, of name: String, doing state: StubCall<Input>.State?,
        replacedAt replacement: TestPlace?
    ) -> String {
        let subject =
            state.map { "\"\(name)\" cannot be \($0)" } ?? "\"\(name)\" cannot report an interim value"
        let reason =
            switch refusal {
            case .noneOpen: "no call of it is open"
            case .noneMatching(let which): "no call of it \(which) is open"
            case .unknown(let number): "it has no call \(number)"
            case .isOver(let number): "call \(number) is over"
            }
        let note = replacement.map { " The stub created at \($0.fileID):\($0.line) has replaced it." } ?? ""
        guard !all.isEmpty else {
            return """
                \(subject): it was not called.\(note)

                A call begins when its promise is started, not when it is built. Trigger it first, and move the \
                clock with advance(by:) if it comes later.
                """
        }
        return """
            \(subject): \(reason).\(note) Its calls, and what became of them:

            \(list)

            A call can be settled only once. Settle an open call, or trigger another one first.
            """
    }

    /// The failure text for calls that are open at the end; nil if there are none.
    func textOfOpen(_ name: String) -> String? {
        let count = all.count(where: \.isOpen)
        guard count > 0 else { return nil }
        return """
            Expected no call of "\(name)" to be open at the end, but \(count) of \(all.count) \(count == 1 ? "is" : "are"):

            \(list)

            Settle what is open, or do what cancels it, before finish().
            """
    }
}
