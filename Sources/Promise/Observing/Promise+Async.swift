extension Promise {
    /// The value, awaited; starts the promise.
    ///
    /// If the promise has settled, this does not suspend; otherwise the task resumes on its own executor.
    /// Interim values are skipped. Cancelling the awaiting task resumes it immediately and removes it as an
    /// observer, which cancels the promise if it was the last one.
    ///
    /// - Throws: The error of the promise; `CancellationError` when the awaiting task is cancelled.
    @inlinable nonisolated(nonsending) public var value: Value {
        get async throws {
            guard let reference else { return inlineValue.value(as: Value.self) }
            if !reference.storage.isSettled { try await reference.waitUntilSettled() }
            guard !reference.storage.isRejected else { throw reference.storage.error }
            return reference.storage.value(as: Value.self)
        }
    }
}
