internal import Promise

// Who looks. A reducer that adds or removes somebody while it changes the scene has it done right after.
extension Stage {
    /// - Returns: What was there when it joined, after which it misses nothing, and whether the end had come.
    @discardableResult
    func add(
        _ listener: Listener<Notice<State>>, _ rank: Rank
    ) -> (present: (moment: Moment<State>, settled: ValueBox<State>), isOver: Bool) {
        scene.withLock { scene in
            if !scene.isOver {
                let place = scene.ranks.firstIndex { $0 > rank } ?? scene.ranks.endIndex
                scene.ranks.insert(rank, at: place)
                scene.audience.insert(listener, at: place)
            }
            return ((scene.present, scene.settled), scene.isOver)
        }
    }

    func remove(_ listener: Listener<Notice<State>>) {
        listener.retire()
        PureWork.afterwards { [self] in takeOut(listener) }
    }

    private func takeOut(_ listener: Listener<Notice<State>>) {
        let removed = scene.withLock { scene -> Listener<Notice<State>>? in
            guard let place = scene.audience.firstIndex(where: { $0 === listener }) else { return nil }
            scene.ranks.remove(at: place)
            return scene.audience.remove(at: place)
        }
        withExtendedLifetime(removed) {}
    }

    /// Subscribes to what is shown.
    ///
    /// - Parameters:
    ///   - replayCurrent: Whether the present state is told as well, right here, before this returns.
    ///   - showsInterim: Whether that may be one that stands in for the next; else the settled one is told.
    ///   - body: Told where the owner of the loop tells.
    ///   - onEnd: Told once when there will be no more.
    @usableFromInline
    func subscribe(
        replayCurrent: Bool, showsInterim: Bool = true,
        _ body: @escaping @Sendable (Notice<State>) -> Void, onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        let listener = Listener(body, onEnd: onEnd)
        if replayCurrent { listener.gather() }
        PureWork.afterwards { [self] in
            // Cancelled meanwhile, in the reducer that subscribed.
            guard !listener.isRetired else { return }
            let (present, isOver) = add(listener, .subscriber)
            if replayCurrent {
                listener.replay((showsInterim ? present.moment : Moment(present.settled, .commit)).notice) {
                    work in
                    if scheduler.isCurrent { work() } else { scheduler.schedule(work) }
                }
            }
            if isOver { listener.finish() }
        }
        // Weak: a token that outlives the system keeps no closure alive.
        return SubscriptionToken(endsOnRelease: true) { [weak self, weak listener] in
            guard let listener else { return }
            if let self { remove(listener) } else { listener.retire() }
        }
    }

    /// Subscribes to the states that transitions settle on. A present state that is only shown in place of one is
    /// not told: the settled one is.
    @inlinable
    func subscribeToSettled(
        replayCurrent: Bool, _ body: @escaping @Sendable (State) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> SubscriptionToken {
        subscribe(
            replayCurrent: replayCurrent, showsInterim: false,
            { notice in if notice.kind == .commit { body(notice.state) } }, onEnd: onEnd)
    }

    /// Calls `body` at a moment in which no other state can come, with what gives the settled one: not from inside a
    /// reducer.
    @usableFromInline
    func enter(_ body: (@escaping @Sendable () -> State) -> Void) {
        scene.withLock { scene in body({ [settled = scene.settled] in settled.value }) }
    }

    /// Lets go of everyone who looked; the states stay readable.
    @usableFromInline
    func close() { PureWork.afterwards { [self] in end() } }

    private func end() {
        let audience = scene.withLock { scene in
            defer { (scene.audience, scene.ranks) = ([], []) }
            scene.isOver = true
            return scene.audience
        }
        for listener in audience { listener.finish() }
    }
}
