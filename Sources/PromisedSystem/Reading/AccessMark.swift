internal import Observation
internal import Synchronization

/// A part of a value, whatever its type.
///
/// Unchecked because the class of key paths is not `Sendable`: this one is made of such as are.
struct Part: Hashable, @unchecked Sendable {
    private let path: AnyKeyPath

    init<Whole, Member>(_ path: any KeyPath<Whole, Member> & Sendable) { self.path = path }
}

/// A part of a value, as the standard library's observation sees it; it finds out whether that looks.
///
/// A value that is read outside of `withObservationTracking` should cost no subscription, but there is no way to
/// ask. What can be seen is that a tracked access is put into a set: then the mark is asked for its hash.
struct AccessMark: Hashable, Sendable {
    private let part: Part

    init(_ part: Part) { self.part = part }

    static func == (left: AccessMark, right: AccessMark) -> Bool { left.part == right.part }

    func hash(into hasher: inout Hasher) {
        Self.looks.add(1, ordering: .relaxed)
        hasher.combine(part)
    }

    private static let looks = Atomic(0)

    /// Whether `access`, which registers a mark, was taken note of. It may be yes by mistake, when another thread is
    /// busy with marks: then something is watched in vain until it changes.
    static func isLookedAt(_ access: () -> Void) -> Bool {
        let before = looks.load(ordering: .relaxed)
        access()
        return looks.load(ordering: .relaxed) != before || !canTell
    }

    /// Whether it works with the standard library at hand; else every access counts as tracked.
    private static let canTell: Bool = {
        let probe = Probe()
        let before = looks.load(ordering: .relaxed)
        withObservationTracking {
            probe.access()
        } onChange: {
        }
        return looks.load(ordering: .relaxed) != before
    }()

    private final class Probe: Observable {
        private let registrar = ObservationRegistrar()

        private subscript(_ mark: AccessMark) -> Void { () }

        func access() {
            let mark = AccessMark(Part(\Int.self))
            registrar.access(self, keyPath: \.[mark])
        }
    }
}
