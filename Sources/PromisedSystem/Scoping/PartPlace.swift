/// Where the part of a ``ScopedSystem`` is, by which its handles notice that a part which contains it was replaced.
@usableFromInline
struct PartPlace: Sendable {
    private let isPart: Bool
    /// Reads the identity of the parts that contain this one, which is nil if one is absent; nil if none has an id.
    private let read: (@Sendable () -> PartIdentity?)?

    /// The place of the whole.
    @usableFromInline static let whole = PartPlace(isPart: false, read: nil)

    private init(isPart: Bool, read: (@Sendable () -> PartIdentity?)?) {
        (self.isPart, self.read) = (isPart, read)
    }

    /// The identity of the parts that contain this one; nil if one of them is absent.
    private var identity: PartIdentity? { read.map { $0() } ?? PartIdentity.none }

    /// The identity of a part that is present in this place.
    func identity(of part: some Any) -> PartIdentity? { identity.map { PartIdentity(of: part).inside($0) } }

    /// The same place, which is gone when the handle of its part is over.
    func ending(with handle: PartHandle) -> PartPlace {
        PartPlace(isPart: true) { [self] in handle.isOver() ? nil : identity }
    }

    /// The place of a part of this part.
    @usableFromInline
    func appending<State, Event, Local, LocalEvent>(
        _ scope: Scope<State, Event, Local, LocalEvent>, of settled: Source<State>
    ) -> PartPlace {
        let hasID = isPart && PartIdentity.isKept(by: State.self)
        guard read != nil || hasID || scope.outer != nil else { return PartPlace(isPart: true, read: nil) }
        return PartPlace(isPart: true) { [self] in
            let state = settled.read()
            guard let first = identity,
                let middle = hasID ? PartIdentity(ofPresent: state) : PartIdentity.none,
                let last = scope.outer.map({ $0(state) }) ?? PartIdentity.none
            else { return nil }
            return last.inside(middle.inside(first))
        }
    }
}
