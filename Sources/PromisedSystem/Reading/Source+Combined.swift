internal import Promise

extension Source {
    /// Combines the latest values of both sources into a pair.
    ///
    /// The pair changes whenever one of the sources does. Two sources derived from the same one change one after the
    /// other, so the pair then changes twice, and **the first of the two pairs never was**: it has one element of the
    /// new value and one of the old. If the elements belong together, derive the pair from the common source:
    ///
    /// ```swift
    /// struct Cart { var items = ["tea"], total = 3 }
    /// let cart = Source.constant(Cart())
    /// let consistent = cart.map { ($0.items, $0.total) }
    /// print(consistent.value)
    /// ```
    ///
    /// Reading ``value`` while no change is being delivered gives a pair of present values. It ends when both have
    /// ended.
    ///
    /// - Parameter other: The source of the second element. If the two deliver on different schedulers, a pair is
    ///   delivered where the change came from; pairs are never delivered concurrently.
    public func combined<Other: Sendable>(with other: Source<Other>) -> Source<(Value, Other)> {
        typealias Halves = (left: Value?, right: Other?, ended: Int)
        let read = { @Sendable [read, other] in (read(), other.read()) }
        let isBehind = { @Sendable [isNotifying, other] in
            isNotifying?() ?? false || other.isNotifying?() ?? false
        }
        return Source<(Value, Other)>(deliveringLike: identity.scheduler, isBehind: isBehind, read: read) {
            subject in
            // Stored here, as the subject has no value before the first pair.
            let halves = Lock<Halves>((nil, nil, 0))
            // A change swaps the old value out, so that it is released outside of the locks.
            let publish = { @Sendable [weak subject] (change: (inout Halves) -> Void) in
                subject?.publish {
                    halves.withLock { halves -> UntypedBox? in
                        change(&halves)
                        guard let left = halves.left, let right = halves.right else { return nil }
                        return UntypedBox((left, right))
                    }
                }
            }
            let onEnd = { @Sendable [weak subject] in
                let ended = halves.withLock { halves in
                    halves.ended += 1
                    return halves.ended
                }
                if ended == 2 { subject?.finish() }
            }
            let left: @Sendable (Value) -> Void = { value in
                var half: Value? = value
                publish { swap(&$0.left, &half) }
            }
            let right: @Sendable (Other) -> Void = { value in
                var half: Other? = value
                publish { swap(&$0.right, &half) }
            }
            subject.keep(attach(true, left, onEnd))
            subject.keep(other.attach(true, right, onEnd))
        }
    }
}
