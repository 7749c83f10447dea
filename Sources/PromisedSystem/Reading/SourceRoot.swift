internal import Promise
internal import Synchronization

/// What all expressions of all parts of one owner's value share, by the keys of the parts.
final class SourceRoot: Sendable {
    // Most roots are never asked for these.
    private let lazyObjects = AtomicLazyReference<ObjectSubscriptions>()
    private let lazyProbe = AtomicLazyReference<AccessProbe>()
    private let lazyReaders = AtomicLazyReference<Lock<[ReadersKey: Weak<ReadersConnection>]>>()
    private let lazyTrackings = AtomicLazyReference<WeakTable<PartKey>>()

    var objects: ObjectSubscriptions { lazyObjects.load() ?? lazyObjects.storeIfNil(ObjectSubscriptions()) }

    /// Whether there was a subscription by object.
    var hasObjects: Bool { lazyObjects.load() != nil }

    var probe: AccessProbe { lazyProbe.load() ?? lazyProbe.storeIfNil(AccessProbe()) }

    /// The readers of one collection, the same as long as one of them is kept.
    func readers<Whole, Finder: ElementFinder>(
        _ key: ReadersKey, _ make: () -> (ElementReaders<Whole, Finder>, ReadersConnection)
    ) -> (ElementReaders<Whole, Finder>, ReadersConnection) {
        let all = lazyReaders.load() ?? lazyReaders.storeIfNil(Lock([:]))
        return all.withLock { all in
            if let connection = all[key]?.value,
                let readers = connection.readers as? ElementReaders<Whole, Finder>
            {
                return (readers, connection)
            }
            let (readers, connection) = make()
            all = all.filter { $0.value.value != nil }
            all[key] = Weak(value: connection)
            return (readers, connection)
        }
    }

    /// The observation of a part, the same as long as one expression of it or an observer is there.
    func tracking<Value>(of key: PartKey, _ make: () -> Tracking<Value>) -> Tracking<Value> {
        let all = lazyTrackings.load() ?? lazyTrackings.storeIfNil(WeakTable())
        return all.object(at: key, make)
    }
}

struct ReadersKey: Hashable, Sendable {
    let whole: PartKey
    let collection: PartKey
    let finder: ObjectIdentifier
}

/// Objects by their keys, each for as long as it is kept elsewhere.
final class WeakTable<Key: Hashable & Sendable>: Sendable {
    private struct State: Sendable {
        var objects: [Key: WeakObject] = [:]
        /// How many there may be until those that were released are looked for.
        var limit = 16
    }

    private let state = Lock(State())

    func object<Object: AnyObject & Sendable>(at key: Key, _ make: () -> Object) -> Object {
        state.withLock { state in
            if let object = state.objects[key]?.value as? Object { return object }
            if state.objects.count >= state.limit {
                state.objects = state.objects.filter { $0.value.value != nil }
                state.limit = max(16, 2 * state.objects.count)
            }
            let object = make()
            state.objects[key] = WeakObject(value: object)
            return object
        }
    }
}

private struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let value: Object?
}

private struct WeakObject: Sendable {
    weak let value: (any AnyObject & Sendable)?
}
