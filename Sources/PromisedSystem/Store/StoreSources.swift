internal import Synchronization

/// The identities of the sources of a ``StateStore``, stored so that each access returns an equal source.
struct StoreSources<State: Sendable>: ~Copyable, Sendable {
    fileprivate let settled = AtomicLazyReference<SourceIdentity<State>>()
    fileprivate let shown = AtomicLazyReference<SourceIdentity<Shown<State>>>()
}

extension StateStore {
    @usableFromInline var settledIdentity: SourceIdentity<State> {
        sources.settled.load() ?? sources.settled.storeIfNil(SourceIdentity(scheduler, isOfSystem: true))
    }

    var shownIdentity: SourceIdentity<Shown<State>> {
        sources.shown.load() ?? sources.shown.storeIfNil(SourceIdentity(scheduler, isOfSystem: true))
    }
}
