internal import Promise

/// The reducers that the calling thread is inside of; a turn of the loop marks them. They may be nested.
///
/// A reducer has no effects. If an in-place one subscribes to a source all the same, it must neither deadlock nor block
/// others: the subscription is deferred by ``afterReducer(_:)``, because the state may have been taken out of the store.
@usableFromInline
struct ReducerScope {
    private struct Nesting {
        var depth = 0
        var deferred = Deque<@Sendable () -> Void>()
        var missedParts = 0

        mutating func popDeferred() -> (@Sendable () -> Void)? { depth == 0 ? deferred.popFirst() : nil }
    }

    private let nesting: ThreadLocal<Nesting>.Reference

    /// The number of events that have addressed an absent part of the state, so that its reducer was not called.
    @usableFromInline var missedParts: Int { nesting.withValue { $0.missedParts } }

    private init(thread: UInt = currentThread) {
        let place = SchedulerScope.companion(of: thread) ?? Self.makeNesting()
        nesting = .init(pointer: place.assumingMemoryBound(to: Nesting.self))
    }

    @inline(never)
    private static func makeNesting() -> UnsafeMutableRawPointer {
        let box = ThreadLocal.Box(Nesting())
        let place = UnsafeMutableRawPointer(box.pointer)
        SchedulerScope.setCompanion(place, ownedBy: box)
        return place
    }

    /// Created before a call of a reducer.
    ///
    /// - Parameter thread: The identity of the calling thread.
    @usableFromInline
    init(isInPlace: Bool, on thread: UInt) {
        self.init(thread: thread)
        if isInPlace { nesting.withValue { $0.depth &+= 1 } }
    }

    /// Whether a part was missed since the count was `before`. Resets the count, so that a turn of another system,
    /// from inside which this event was sent, doesn't count it as well.
    @usableFromInline
    func hasMissedPart(since before: Int) -> Bool {
        nesting.withValue { nesting in
            defer { nesting.missedParts = before }
            return nesting.missedParts != before
        }
    }

    /// Counts an event that has addressed an absent part.
    @usableFromInline
    static func missPart() { Self().nesting.withValue { $0.missedParts &+= 1 } }

    /// Called after an in-place reducer; behind the outermost one, the deferred actions run.
    @usableFromInline
    func end() {
        var next = nesting.withValue { nesting in
            nesting.depth &-= 1
            return nesting.popDeferred()
        }
        while let action = next {
            action()
            next = nesting.withValue { $0.popDeferred() }
        }
    }

    /// Defers `action` until the calling thread leaves its outermost reducer; runs it immediately outside of one.
    static func afterReducer(_ action: @escaping @Sendable () -> Void) {
        let isInside = Self().nesting.withValue { nesting in
            if nesting.depth > 0 { nesting.deferred.append(action) }
            return nesting.depth > 0
        }
        if !isInside { action() }
    }
}

@available(*, unavailable)
extension ReducerScope: Sendable {}
