internal import Promise

// What was made for a part, at work in the whole. An event that is none of the part's business leaves it alone.
extension Reducer {
    /// The same step for the whole that this state is a part of.
    ///
    /// - Parameter scope: The way to the part. An event that means nothing to it leaves the whole untouched.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Reducer<Whole, WholeEvent> {
        Reducer<Whole, WholeEvent>(step: Self.lift(step, scope))
    }

    @inlinable
    static func lift<Whole, WholeEvent>(
        _ step: Step, _ scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Reducer<Whole, WholeEvent>.Step {
        switch step {
        case .inPlace(let reduce):
            .inPlace { whole, event in
                guard let event = scope.extract(event) else { return }
                scope.modify(&whole) { reduce(&$0, event) }
            }
        case .promise(let reduce):
            .promise { whole, event in
                guard let event = scope.extract(event) else { return .value(whole) }
                return reduce(scope.get(whole), event).map { part in
                    var next = whole
                    scope.modify(&next) { $0 = part }
                    return next
                }
            }
        case .several(let steps): .several(steps.map { lift($0, scope) })
        }
    }

    /// The same step for a state that need not be there: then every event leaves it so.
    @inlinable public var optional: Reducer<State?, Event> {
        switch step {
        case .inPlace(let reduce): Reducer<State?, Event> { if $0 != nil { reduce(&$0!, $1) } }
        case .promise(let reduce):
            Reducer<State?, Event> { state, event in
                state.map { reduce($0, event).map { $0 } } ?? .value(nil)
            }
        case .several(let steps): .combined(steps.map { Reducer(step: $0).optional })
        }
    }

    /// The same step for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, and for an event that means nothing to it, the
    ///   whole is left untouched.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Reducer<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension Middleware {
    /// The same middleware for the whole that this state is a part of: asked of the events that mean something to the
    /// part; all others pass.
    ///
    /// - Parameter scope: The way to the part. An event that it declines to embed is not sent, and does not replace
    ///   another.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Middleware<Whole, WholeEvent> {
        Middleware<Whole, WholeEvent>(layers: layers.map { $0.lifted(by: scope) })
    }
}

extension Middleware.Layer {
    fileprivate func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Middleware<Whole, WholeEvent>.Layer {
        var liftedBefore: Middleware<Whole, WholeEvent>.Before?
        var liftedAfter: Middleware<Whole, WholeEvent>.After?
        if let before {
            liftedBefore = { event, system in
                guard let local = scope.extract(event) else { return .pass }
                switch before(local, system.scoped(by: scope)) {
                case .pass: return .pass
                case .stop: return .stop
                case .replace(let other): return scope.embed(other).map { .replace($0) } ?? .pass
                }
            }
        }
        if let after {
            liftedAfter = { event, system in
                if let local = scope.extract(event) { after(local, system.scoped(by: scope)) }
            }
        }
        return .init(before: liftedBefore, after: liftedAfter)
    }
}

extension Feedback {
    /// The same feedback for the whole that this state is a part of: it sees the part of every state, and the events
    /// that mean something to it.
    ///
    /// - Parameter scope: The way to the part. Events that it declines to embed are not sent.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feedback<Whole, WholeEvent> {
        Feedback<Whole, WholeEvent>(parts: parts.map { Self.lift($0, scope) })
    }

    private static func lift<Whole, WholeEvent>(
        _ part: Part, _ scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feedback<Whole, WholeEvent>.Part {
        typealias WholePart = Feedback<Whole, WholeEvent>.Part
        let hearing: Feedback<Whole, WholeEvent>.Hearing =
            switch part.hearing {
            case .states: .states
            case .events: .events
            case .all: .all
            }
        return WholePart(part.origin, hearing) {
            let decide = part.make()
            let soFar = Memory<Requests>()
            return { _, input in
                guard let local = Self.localInput(input, scope) else { return .asBefore }
                let before = soFar.value.withLock { $0 ?? Requests() }
                switch decide(before, local) {
                case .asBefore: return .asBefore
                case .start(let request): return .start(request.lifted(scope.embed))
                case .keep(let requests):
                    _ = soFar.exchange(for: requests)
                    return .keep(Few(requests.all.map { $0.lifted(scope.embed) }))
                }
            }
        }
    }

    private static func localInput<Whole, WholeEvent>(
        _ input: Feedback<Whole, WholeEvent>.Input, _ scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Input? {
        switch input {
        case .state(let whole): .state(scope.get(whole))
        case .event(let event, let whole): scope.extract(event).map { .event($0, scope.get(whole)) }
        }
    }
}

// The same for a part that need not be there.
extension Middleware {
    /// The same middleware for a state that need not be there: then every event passes.
    public var optional: Middleware<State?, Event> {
        typealias Whole = Middleware<State?, Event>
        return Whole(
            layers: layers.map { layer in
                var before: Whole.Before?
                var after: Whole.After?
                if let ask = layer.before {
                    before = { event, system in
                        guard let part = system.unwrapped() else { return .pass }
                        return switch ask(event, part) {
                        case .pass: .pass
                        case .stop: .stop
                        case .replace(let other): .replace(other)
                        }
                    }
                }
                if let tell = layer.after {
                    after = { event, system in system.unwrapped().map { tell(event, $0) } }
                }
                return .init(before: before, after: after)
            })
    }

    /// The same middleware for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, every event passes.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Middleware<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension Feedback {
    /// The same feedback for a state that need not be there: then nothing is running.
    public var optional: Feedback<State?, Event> {
        typealias Whole = Feedback<State?, Event>
        return Whole(
            parts: parts.map { part in
                // It looks at states as well, whatever it was made for: to end with its part.
                Whole.Part(part.origin, .all) {
                    let decide = part.make()
                    return { soFar, input in
                        let local: Input
                        switch input {
                        case .state(nil): return .keep(Requests())
                        case .event(_, nil): return .asBefore
                        case .state(let state?): local = .state(state)
                        case .event(let event, let state?): local = .event(event, state)
                        }
                        guard part.hearing.hears(local) else { return .asBefore }
                        switch decide(soFar, local) {
                        case .asBefore: return .asBefore
                        case .start(let request): return .start(request)
                        case .keep(let requests): return .keep(requests)
                        }
                    }
                }
            })
    }

    /// The same feedback for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, nothing is running.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Feedback<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension EffectRequest {
    /// The same request, whose work sends what `embed` makes of its events, unless that declines.
    func lifted<Other: Sendable>(_ embed: @escaping @Sendable (Event) -> Other?) -> EffectRequest<Other> {
        EffectRequest<Other>(
            key: key, revision: revision, policy: policy, work: { [work] in work().lifted(embed) },
            update: update)
    }
}

extension Effect {
    func lifted<Other: Sendable>(_ embed: @escaping @Sendable (Event) -> Other?) -> Effect<Other> {
        Effect<Other> { effect in
            begin(
                EffectHandle(
                    run: effect.run, sink: effect.sink.compactMap(embed), part: EffectPart(effect.end)))
        }
    }
}
