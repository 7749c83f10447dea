// Middleware of a part, asked of the events that mean something to it; all others pass.
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

extension Middleware {
    /// The same middleware for a state that need not be there: then every event passes. Of an event that makes it be there,
    /// or not, it hears one of the two, before or after.
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

extension Middleware {
    /// The same middleware for every element of a collection, each time for the one that the event is meant for.
    ///
    /// Of an event for all, it is asked for one element after the other: the first that stops the event stops it for
    /// all, and none can replace it.
    ///
    /// Before the turn it is asked if the element is there then, and afterwards told if it is there then: of an event that
    /// puts the element in or takes it out it hears one of the two.
    ///
    /// - Parameter elements: The way to them. An event for an element that is not there passes, as does one that is for
    ///   none.
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
