/// The identities of the parts that contain the part of a ``ScopedSystem``, by which its handles notice a replacement.
@usableFromInline
struct PartPlace: Sendable {
    private let isPart: Bool
    /// Reads the identity of the parts that contain this one, which is nil if one is absent; nil if none has an id.
    private let read: (@Sendable () -> PartIdentity?)?
    /// The handle in whose part this one is. Its state no longer changes when it is over, so the parts that contain it
    /// need not be looked at again.
    private let handle: PartHandle?

    /// The place of the whole.
    @usableFromInline static let whole = PartPlace(isPart: false)

    private init(isPart: Bool, in handle: PartHandle? = nil, read: (@Sendable () -> PartIdentity?)? = nil) {
        (self.isPart, self.handle, self.read) = (isPart, handle, read)
    }

    /// Whether the handle in whose part this one is, is over.
    var isOver: Bool { handle?.isOver() == true }

    private var outerIdentity: PartIdentity? { read.map { $0() } ?? PartIdentity.none }

    /// The identity of a part that is present in this place; nil if a part that contains it is absent.
    func identity(of part: some Any) -> PartIdentity? {
        outerIdentity.map { PartIdentity(of: part).inside($0) }
    }

    /// The place of the part of a handle, in which it stays.
    static func of(_ handle: PartHandle) -> PartPlace { PartPlace(isPart: false, in: handle) }

    /// The place of a part of this part.
    @usableFromInline
    func appending<State, Event, Local, LocalEvent>(
        _ scope: Scope<State, Event, Local, LocalEvent>, of settled: Source<State>
    ) -> PartPlace {
        let hasID = isPart && PartIdentity.isKept(by: State.self)
        guard hasID || scope.outer != nil else { return PartPlace(isPart: true, in: handle, read: read) }
        return PartPlace(isPart: true, in: handle) { [self] in
            let state = settled.read()
            return PartIdentity.nested(
                outerIdentity, hasID ? PartIdentity(ofPresent: state) : PartIdentity.none,
                scope.outer.map { $0(state) })
        }
    }
}
