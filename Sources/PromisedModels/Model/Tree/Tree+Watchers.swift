internal import Promise

extension Tree {
    /// An element now and after every write; ends with the store. A slow consumer receives one for several.
    var writes: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = nextNumber()
        continuation.yield()
        gate.withGate {
            if isOver { continuation.finish() } else { watchers[number] = continuation }
        }
        continuation.onTermination = { [weak self] _ in
            guard let self else { return }
            gate.withGate { watchers[number] = nil }
        }
        return stream
    }
}
