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

extension Middleware {
    /// This middleware for an optional state. While the state is nil, every event passes. For an event that makes the
    /// state nil only `before` is called; for one that makes it non-nil, only `after`.
    public var optional: Middleware<State?, Event> {
        typealias Whole = Middleware<State?, Event>
        return Whole(
            layers: layers.map { layer in
                var before: Whole.Before?
                var after: Whole.After?
                if let layerBefore = layer.before {
                    before = { event, system in
                        guard let part = system.unwrapped() else { return .pass }
                        return switch layerBefore(event, part) {
                        case .pass: .pass
                        case .stop: .stop
                        case .replace(let other): .replace(other)
                        }
                    }
                }
                if let layerAfter = layer.after {
                    after = { event, system in system.unwrapped().map { layerAfter(event, $0) } }
                }
                return .init(before: before, after: after)
            })
    }

    /// Embeds this middleware in a whole whose state contains this middleware's state as an optional.
    ///
    /// - Parameter scope: The path to the part. While the part is nil, every event passes.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Middleware<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension Middleware {
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
        Middleware<Whole, WholeEvent>(
            layers: layers.map { layer in
                let middleware = Middleware(layers: [layer])
                var before: Middleware<Whole, WholeEvent>.Before?
                var after: Middleware<Whole, WholeEvent>.After?
                if layer.before != nil {
                    before = { event, system in
                        if elements.extract(event) == nil, elements.extractAll(event) != nil {
                            return middleware.beforeAll(event, system, elements)
                        }
                        return middleware.layer(for: event, elements)?.before?(event, system) ?? .pass
                    }
                }
                if layer.after != nil {
                    after = { event, system in
                        if elements.extract(event) == nil, elements.extractAll(event) != nil {
                            return middleware.afterAll(event, system, elements)
                        }
                        middleware.layer(for: event, elements)?.after?(event, system)
                    }
                }
                return .init(before: before, after: after)
            })
    }

    private func beforeAll<Whole, WholeEvent, ID>(
        _ event: WholeEvent, _ system: Middleware<Whole, WholeEvent>.Context,
        _ elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Middleware<Whole, WholeEvent>.Decision {
        for id in elements.identities(in: system.state) {
            let layer = lifted(by: elements.scope(of: id)).layers.first
            if case .stop = layer?.before?(event, system) ?? .pass { return .stop }
        }
        return .pass
    }

    private func afterAll<Whole, WholeEvent, ID>(
        _ event: WholeEvent, _ system: Middleware<Whole, WholeEvent>.Context,
        _ elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) {
        for id in elements.identities(in: system.state) {
            lifted(by: elements.scope(of: id)).layers.first?.after?(event, system)
        }
    }

    private func layer<Whole, WholeEvent, ID>(
        for event: WholeEvent, _ elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Middleware<Whole, WholeEvent>.Layer? {
        guard let (id, _) = elements.extract(event) else { return nil }
        return lifted(by: elements.scope(of: id)).layers.first
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
