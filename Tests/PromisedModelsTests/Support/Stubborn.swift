import Promise

/// Waits for the value of a promise, as a client does that ignores cancellation.
func stubborn<Value>(_ promise: Promise<Value>) async -> Value {
    await withCheckedContinuation { done in
        promise.done { done.resume(returning: $0) }
    }
}
