public import Promise
internal import Synchronization

/// The common part of a source and its copies: where the owner delivers, the subscriptions of objects, and the properties read
/// under observation.
///
/// One is created for every expression of a part; what two expressions of one part share is stored in their root.
@usableFromInline
package final class SourceIdentity<Value: Sendable>: Sendable {
    /// Where the owner delivers; nil if that is the thread that publishes a value.
    @usableFromInline let scheduler: (any SerialScheduler)?
    /// Whether the values follow from the state of one system, so that an exploration need not know what was delivered.
    @usableFromInline let isOfSystem: Bool
    /// Which part of the root's value this is.
    let key: PartKey
    // Created on first use, as most sources need neither.
    private let lazyRoot = AtomicLazyReference<SourceRoot>()
    private let lazyTracking = AtomicLazyReference<Tracking<Value>>()

    @usableFromInline
    package init(_ scheduler: (any SerialScheduler)? = nil, isOfSystem: Bool = false) {
        (self.scheduler, self.isOfSystem, key) = (scheduler, isOfSystem, .whole)
    }

    private init(_ whole: SourceIdentity<some Sendable>, _ key: PartKey) {
        (scheduler, isOfSystem, self.key) = (whole.scheduler, whole.isOfSystem, whole.key.appending(key))
        let root = whole.root
        _ = lazyRoot.storeIfNil(root)
    }

    /// The identity of a part, equal to that of every other expression of the same part.
    ///
    /// - Parameter key: Which part of this value.
    @usableFromInline
    func part<Part>(at key: PartKey) -> SourceIdentity<Part> {
        SourceIdentity<Part>(self, key)
    }

    /// Equal for two expressions of one source.
    var id: SourceID { SourceID(root: root, key: key) }

    /// Shared by all parts of one owner's value.
    var root: SourceRoot { lazyRoot.load() ?? lazyRoot.storeIfNil(SourceRoot()) }

    // MARK: What parts share

    var objects: ObjectSubscriptions { root.objects }

    /// Whether there was a subscription by object, to this or to another part of the root's value.
    var hasObjects: Bool { lazyRoot.load()?.hasObjects ?? false }

    var tracking: Tracking<Value> {
        lazyTracking.load()
            ?? lazyTracking.storeIfNil(root.shared(at: key) { Tracking<Value>(scheduler) })
    }

    /// The subscriptions to elements of one collection of the value that use one type of locator.
    @usableFromInline
    func connection<Finder: ElementLocator>(
        to collection: any KeyPath<Value, Finder.Container> & Sendable,
        _ make: () -> ElementConnection<Value, Finder>
    ) -> ElementConnection<Value, Finder> {
        root.shared(at: key, .property(collection), make)
    }
}

/// Which source it is: which part of the value of which owner.
struct SourceID: Hashable, Sendable {
    let root: SourceRoot
    let key: PartKey

    static func == (left: SourceID, right: SourceID) -> Bool {
        left.root === right.root && left.key == right.key
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(root))
        hasher.combine(key)
    }
}
