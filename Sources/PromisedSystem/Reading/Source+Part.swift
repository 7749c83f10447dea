internal import Promise

extension Source {
    /// A source of a part of every value. Unlike in ``map(_:)``, each subscriber reads the part itself, which costs
    /// less than sharing it.
    ///
    /// - Parameter key: Identifies the part: equal keys give equal sources. Nil for a source equal to no other.
    @inlinable
    func part<Part: Sendable>(
        _ get: @escaping @Sendable (Value) -> Part, at key: PartKey?
    ) -> Source<Part> {
        let partly = { (attach: @escaping Attach) -> Source<Part>.Attach in
            { replayCurrent, body, onEnd in attach(replayCurrent, { body(get($0)) }, onEnd) }
        }
        return Source<Part>(
            identity: key.map { identity.part(at: $0) } ?? SourceIdentity(identity.scheduler),
            read: { [read] in get(read()) }, isNotifying: isNotifying,
            attachToAll: attachToAll.map(partly), attach: partly(attach))
    }

    /// A source of a part of every value, whose subscribers are notified only when the part has become unequal.
    @inlinable
    func part<Part: Sendable>(
        _ get: @escaping @Sendable (Value) -> Part, at key: PartKey?,
        unlessEqual areEqual: @escaping @Sendable (Part, Part) -> Bool
    ) -> Source<Part> {
        var source = part(get, at: key)
        source.attach = { [attach] replayCurrent, body, onEnd in
            let last = Lock<Part?>(nil)
            // The present part is always requested, to compare with, but delivered only if `replayCurrent` is true.
            return attach(
                true,
                { whole in
                    let (lastPart, part) = (last.withLock { $0 }, get(whole))
                    if let lastPart, areEqual(lastPart, part) { return }
                    // Returned out of the closure, so that the old part is not released under the lock.
                    _ = last.withLock { last in
                        defer { last = part }
                        return last
                    }
                    if lastPart != nil || replayCurrent { body(part) }
                }, onEnd)
        }
        return source
    }

    /// A source of an element of a collection in every value, whose subscribers are notified only when the element has
    /// become unequal, in one pass with those of the other elements.
    @inlinable
    func element<Finder: ElementLocator>(
        _ id: Finder.ID, at key: PartKey, _ locator: Finder,
        in collection: Projection<Value, Finder.Container>,
        get: @escaping @Sendable (Value) -> Finder.Element?,
        _ areEqual: @escaping @Sendable (Finder.Element?, Finder.Element?) -> Bool
    ) -> Source<Finder.Element?> {
        guard let attachToAll else { return part(get, at: key, unlessEqual: areEqual) }
        let connection = identity.connection(to: collection.path) { [self] in
            let readers = ElementSubscriptions(self, locator, collection, areEqual)
            // The closure is created here, so that the delivery is specialized for these types.
            return ElementConnection(readers) {
                attachToAll(false, { readers.receive($0) }, { readers.end() })
            }
        }
        let readers = connection.readers
        return Source<Finder.Element?>(
            identity: identity.part(at: key), read: { readers.element(id) }, isNotifying: isNotifying
        ) { replayCurrent, body, onEnd in
            connection.subscribe(to: id, replayCurrent: replayCurrent, body, onEnd: onEnd)
        }
    }
}
