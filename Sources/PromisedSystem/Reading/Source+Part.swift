internal import Promise

extension Source {
    /// A part of every value. Each subscriber looks for itself: unlike in ``map(_:)`` that costs less than to share it.
    ///
    /// - Parameter key: Which part it is: then it is the same source for all who ask for it. Nil for a source of its
    ///   own.
    @inlinable
    func part<Part: Sendable>(
        _ get: @escaping @Sendable (Value) -> Part, at key: PartKey?
    ) -> Source<Part> {
        let partEntrance = entrance.map { entrance in
            Source<Part>.Entrance(enter: { body in entrance.enter { whole in body({ get(whole()) }) } }) {
                body, onEnd in entrance.attach({ body(get($0)) }, onEnd)
            }
        }
        return Source<Part>(
            identity: key.map { identity.part(at: $0) } ?? SourceIdentity(identity.scheduler),
            read: { [read] in get(read()) }, isNotifying: isNotifying, entrance: partEntrance
        ) { [attach] replayCurrent, body, onEnd in
            attach(replayCurrent, { body(get($0)) }, onEnd)
        }
    }

    /// A part of every value, whose readers are told when it has become unequal.
    @inlinable
    func part<Part: Sendable>(
        _ get: @escaping @Sendable (Value) -> Part, at key: PartKey?,
        unlessEqual areEqual: @escaping @Sendable (Part, Part) -> Bool
    ) -> Source<Part> {
        var source = part(get, at: key)
        source.attach = { [attach] replayCurrent, body, onEnd in
            let last = Lock<Part?>(nil)
            // The present part is always asked for, to compare with, and passed on only if it is wanted.
            return attach(
                true,
                { whole in
                    let (told, part) = (last.withLock { $0 }, get(whole))
                    if let told, areEqual(told, part) { return }
                    // The old part leaves with the result: its end must not come under the lock.
                    _ = last.withLock { last in
                        defer { last = part }
                        return last
                    }
                    if told != nil || replayCurrent { body(part) }
                }, onEnd)
        }
        return source
    }

    /// An element of a collection in every value, whose readers are told when it has become unequal: together with
    /// those of the other elements.
    @inlinable
    func element<Finder: ElementLocator>(
        _ id: Finder.ID, at key: PartKey, _ locator: Finder,
        in collection: Projection<Value, Finder.Elements>,
        get: @escaping @Sendable (Value) -> Finder.Element?,
        _ areEqual: @escaping @Sendable (Finder.Element?, Finder.Element?) -> Bool
    ) -> Source<Finder.Element?> {
        guard let entrance else { return part(get, at: key, unlessEqual: areEqual) }
        let (readers, connection) = identity.readers(of: collection.path) { [self] in
            let readers = ElementSubscriptions(self, entrance, locator, collection, areEqual)
            // Made here, so that what is told to them is handled by code made for these types.
            let connection = ElementConnection(readers) {
                entrance.attach({ readers.told($0) }, { readers.end() })
            }
            return (readers, connection)
        }
        return Source<Finder.Element?>(
            identity: identity.part(at: key), read: { readers.element(id) }, isNotifying: isNotifying
        ) { replayCurrent, body, onEnd in
            // So is this, which looks at many elements.
            readers.subscribe(
                to: id, connection, replayCurrent: replayCurrent, { readers.find(id, in: $0) }, body,
                onEnd: onEnd)
        }
    }
}
