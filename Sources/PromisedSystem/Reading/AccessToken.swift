internal import Observation
internal import Promise

/// A type-erased key path to a part of a value.
///
/// `@unchecked` because `AnyKeyPath` is not `Sendable`; the initializer accepts only key paths that are.
@usableFromInline
package struct PathPart: Hashable, @unchecked Sendable {
    private let path: AnyKeyPath

    @usableFromInline
    package init<Whole, Member>(_ path: any KeyPath<Whole, Member> & Sendable) { self.path = path }

    private init(path: AnyKeyPath) { self.path = path }

    /// The name of its last property.
    package var name: String {
        // Copied, as the hash of a path with an index calls that of the index.
        var names = Self.names.withLock { $0 }
        if let name = names[self] { return name }
        let name = "\(path)".split(separator: ".").last.map(String.init) ?? ""
        // A program has few paths, unless they have indices.
        if names.count < 1_000 {
            names[self] = name
            Self.names.exchange(for: names)
        }
        return name
    }

    /// The names of the paths so far, since it takes long to print one.
    private static let names = Lock<[PathPart: String]>([:])

    /// The path to a part of this part; nil if the two cannot be joined because an optional is between them.
    func appending(_ inner: PathPart) -> PathPart? {
        path.appending(path: inner.path).map { PathPart(path: $0) }
    }
}

/// Represents a part of a value to an `ObservationRegistrar`, and detects whether an access to it is tracked.
///
/// A read outside of `withObservationTracking` must not create a subscription, but the standard library has no API to
/// query whether a read is tracked. It can be detected that a tracked access is inserted into a set, which
/// calls ``hash(into:)`` on the token.
struct AccessToken: Hashable, Sendable {
    private let part: PathPart

    init(_ part: PathPart) { self.part = part }

    static func == (left: AccessToken, right: AccessToken) -> Bool { left.part == right.part }

    func hash(into hasher: inout Hasher) {
        Self.detector.current.withValue { $0.wasHashed = true }
        hasher.combine(part)
    }

    /// Whether the caller is inside of `withObservationTracking`.
    static var isTracked: Bool {
        let detector = detector.current
        let probe = detector.withValue { detector in
            detector.wasHashed = false
            return detector.probe
        }
        probe.access()
        return detector.withValue { $0.isTracked } || !detectsTracking
    }

    /// Whether detection works with this version of the standard library; if not, every access counts as tracked.
    private static let detectsTracking: Bool = {
        let probe = ObservationProbe()
        detector.current.withValue { $0.wasHashed = false }
        withObservationTracking {
            probe.access()
        } onChange: {
        }
        return detector.current.withValue { $0.wasHashed }
    }()

    /// A token for no part, whose change is never announced; used only to detect whether a read is tracked.
    fileprivate static let probe = AccessToken(PathPart(\Never.self))

    private struct Detector {
        /// Whether a token has been hashed on this thread since this was last reset.
        var wasHashed = false
        var probe = ObservationProbe()
        private var tracked = 0

        /// A tracked access leaves an entry in the probe, which stays if nothing that was tracked with it changes.
        /// Another probe is used from time to time, so that they do not accumulate.
        var isTracked: Bool {
            mutating get {
                guard wasHashed else { return false }
                tracked += 1
                if tracked % 64 == 0 { probe = ObservationProbe() }
                return true
            }
        }
    }

    private static let detector = ThreadLocal { Detector() }
}

/// Whether the caller is inside of `withObservationTracking`.
@usableFromInline package var isObservationTracked: Bool { AccessToken.isTracked }

/// Detects whether a source is being read inside of `withObservationTracking`.
private final class ObservationProbe: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    // Created once, so that an untracked read stays cheap.
    private static let path: any KeyPath<ObservationProbe, Void> & Sendable = {
        let token = AccessToken.probe
        return \.[token]
    }()

    private subscript(_ token: AccessToken) -> Void { () }

    func access() { registrar.access(self, keyPath: Self.path) }
}
