// Embeds the middleware of a part in a whole; events that do not concern the part pass.
extension Middleware {
    /// Embeds this middleware in a whole whose state contains this middleware's state. It is called for events that
    /// concern the part; all others pass.
    ///
    /// - Parameter scope: The path to the part. An event that `embed` declines is neither sent nor used as a
    ///   replacement.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Middleware<Whole, WholeEvent> {
        embedded { event, system in
            SmallArray(
                scope.extract(event).map {
                    Target(event: $0, context: system.scoped(by: scope), embed: scope.embed)
                })
        }
    }

    /// This middleware for an optional state. While the state is nil, every event passes. For an event that makes the
    /// state nil only `before` is called; for one that makes it non-nil, only `after`.
    public var optional: Middleware<State?, Event> { lifted(by: .identity()) }

    /// Embeds this middleware in a whole whose state contains this middleware's state as an optional.
    ///
    /// - Parameter scope: The path to the part. While the part is nil, every event passes.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Middleware<Whole, WholeEvent> {
        embedded { event, system in SmallArray(Self.target(event, system, in: scope)) }
    }

    /// Embeds this middleware for every element of a collection; it is called for the element that the event is for.
    ///
    /// For an event to all elements it is called for one element after the other: the first one that stops the event
    /// stops it for all, and none can replace it.
    ///
    /// Whether the element is present is checked separately before and after the event: for an event that inserts the
    /// element only `after` is called, for one that removes it only `before`.
    ///
    /// - Parameter elements: The path to the elements. Events for no element, or for an absent one, pass.
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Middleware<Whole, WholeEvent> {
        embedded { event, system in
            if let (id, _) = elements.extract(event) {
                return SmallArray(Self.target(event, system, in: elements.scope(of: id)))
            }
            guard elements.extractAll(event) != nil else { return SmallArray() }
            return SmallArray(
                elements.identities(in: system.state).compactMap { id in
                    Self.target(event, system, in: elements.scope(of: id), canReplace: false)
                })
        }
    }

    /// A part that an event concerns.
    private struct Target<WholeEvent: Sendable> {
        let event: Event
        let context: Context
        /// Makes an event of the whole from one that the middleware passes on instead; nil if it cannot replace one.
        let embed: (Event) -> WholeEvent?
    }

    /// An optional part that an event concerns; nil if it concerns another one, or if the part is absent.
    private static func target<Whole, WholeEvent>(
        _ event: WholeEvent, _ system: Middleware<Whole, WholeEvent>.Context,
        in scope: Scope<Whole, WholeEvent, State?, Event>, canReplace: Bool = true
    ) -> Target<WholeEvent>? {
        guard let event = scope.extract(event), let context = system.scoped(by: scope).unwrapped() else {
            return nil
        }
        return Target(event: event, context: context) { canReplace ? scope.embed($0) : nil }
    }

    /// Embeds each layer, called for all parts that an event concerns.
    private func embedded<Whole, WholeEvent>(
        _ targets:
            @escaping @Sendable (WholeEvent, Middleware<Whole, WholeEvent>.Context)
            -> SmallArray<Target<WholeEvent>>
    ) -> Middleware<Whole, WholeEvent> {
        Middleware<Whole, WholeEvent>(
            layers: layers.map { layer in
                var before: Middleware<Whole, WholeEvent>.Before?
                var after: Middleware<Whole, WholeEvent>.After?
                if let layerBefore = layer.before {
                    before = { event, system in
                        for target in targets(event, system).all {
                            switch layerBefore(target.event, target.context) {
                            case .pass: continue
                            case .stop: return .stop
                            case .replace(let other):
                                guard let other = target.embed(other) else { continue }
                                return .replace(other)
                            }
                        }
                        return .pass
                    }
                }
                if let layerAfter = layer.after {
                    after = { event, system in
                        targets(event, system).forEach { layerAfter($0.event, $0.context) }
                    }
                }
                return .init(before: before, after: after, isStateful: layer.isStateful)
            })
    }
}

extension Middleware.Context {
    /// The context for middleware of a part of the state.
    func scoped<Local, LocalEvent>(
        by scope: Scope<State, Event, Local, LocalEvent>
    ) -> Middleware<Local, LocalEvent>.Context {
        .init(
            .part(read: { scope.get(state) }) { event, origin in
                if let event = scope.embed(event) { send(event, origin) }
            })
    }
}
