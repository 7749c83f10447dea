internal import Observation
internal import Promise

/// A type-erased key path to a part of a value.
///
/// `@unchecked` because `AnyKeyPath` is not `Sendable`; the initializer accepts only key paths that are.
struct PathPart: Hashable, @unchecked Sendable {
    private let path: AnyKeyPath

    init<Whole, Member>(_ path: any KeyPath<Whole, Member> & Sendable) { self.path = path }

    private init(path: AnyKeyPath) { self.path = path }

    /// The path to a part of this part; nil if the two cannot be joined because an optional is between them.
    func appending(_ inner: PathPart) -> PathPart? {
        path.appending(path: inner.path).map { PathPart(path: $0) }
    }
}

/// Represents a part of a value to an `ObservationRegistrar`, and detects whether an access to it is tracked.
///
/// A read outside of `withObservationTracking` must not create a subscription, but the standard library has no API to
/// query whether a read is tracked. What can be detected is that a tracked access is inserted into a set, which
/// calls ``hash(into:)`` on the token.
struct AccessToken: Hashable, Sendable {
    private let part: PathPart

    init(_ part: PathPart) { self.part = part }

    static func == (left: AccessToken, right: AccessToken) -> Bool { left.part == right.part }

    func hash(into hasher: inout Hasher) {
        Self.wasHashed = true
        hasher.combine(part)
    }

    /// A token for no part, whose change is never announced; used only to detect whether a read is tracked.
    fileprivate static let probe = AccessToken(PathPart(\Never.self))

    /// Whether `access`, which registers a token, was tracked.
    fileprivate static func isTracked(_ access: () -> Void) -> Bool {
        wasHashed = false
        access()
        return wasHashed || !detectsTracking
    }

    /// Whether detection works with this version of the standard library; if not, every access counts as tracked.
    private static let detectsTracking: Bool = {
        let probe = ObservationProbe()
        wasHashed = false
        withObservationTracking {
            probe.access()
        } onChange: {
        }
        return wasHashed
    }()

    /// Whether a token has been hashed on the calling thread since this was last reset.
    private static var wasHashed: Bool {
        get { wereHashed.current.withValue { $0 } }
        set { wereHashed.current.withValue { $0 = newValue } }
    }

    private static let wereHashed = ThreadLocal { false }
}

/// Detects whether a source is being read inside of `withObservationTracking`.
final class ObservationProbe: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    // Created once, so that an untracked read stays cheap.
    private static let path: any KeyPath<ObservationProbe, Void> & Sendable = {
        let token = AccessToken.probe
        return \.[token]
    }()

    private subscript(_ token: AccessToken) -> Void { () }

    var isTracked: Bool { AccessToken.isTracked(access) }

    func access() { registrar.access(self, keyPath: Self.path) }
}
