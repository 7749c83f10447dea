internal import Promise
internal import Synchronization

private struct IncomparableMemory: Sendable {}

extension World {
    /// Makes the memory beside the systems a part of every configuration.
    package func include(_ memory: OutsideMemory) {
        let record = core.record
        record.content.withLock { $0.memories.append(memory) }
        record.usesMemories.store(true, ordering: .relaxed)
        core.remember(
            .init(number: { $0.number(ofAny: memory.values() ?? IncomparableMemory()) {} }, set: { _, _ in }))
    }

    /// Performs a call, which is the cause of all that it begins.
    ///
    /// - Parameter state: The state that the call finds.
    package func perform<Call: Sendable>(_ call: Call, in state: State, _ body: () -> Void) {
        let record = core.record
        guard let numbers = record.findings.numbers else { return body() }
        let cause = PathHistory.adding(
            .payload, numbers.number(ofAny: call) {}, numbers.number(ofAny: state) {})
        record.causing(cause, body)
    }
}
