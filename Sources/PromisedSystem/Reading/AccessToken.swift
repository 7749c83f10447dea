#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#elseif canImport(Bionic)
    internal import Bionic
#elseif canImport(WASILibc)
    internal import WASILibc
#endif
internal import Observation

/// A part of a value, whatever its type.
///
/// Unchecked because the class of key paths is not `Sendable`: this one is made of such as are.
struct Part: Hashable, @unchecked Sendable {
    private let path: AnyKeyPath

    init<Whole, Member>(_ path: any KeyPath<Whole, Member> & Sendable) { self.path = path }

    private init(path: AnyKeyPath) { self.path = path }

    /// A part of this part; nil where an optional is between them.
    func appending(_ inner: Part) -> Part? { path.appending(path: inner.path).map { Part(path: $0) } }
}

/// A part of a value, as the standard library's observation sees it; it finds out whether that looks.
///
/// A value that is read outside of `withObservationTracking` should cost no subscription, but there is no way to
/// ask. What can be seen is that a tracked access is put into a set: then the mark is asked for its hash.
struct AccessToken: Hashable, Sendable {
    private let part: Part

    init(_ part: Part) { self.part = part }

    static func == (left: AccessToken, right: AccessToken) -> Bool { left.part == right.part }

    func hash(into hasher: inout Hasher) {
        Self.wasAsked = true
        hasher.combine(part)
    }

    /// A mark that stands for nothing and is never told: to find out whether the reading is tracked.
    fileprivate static let probe = AccessToken(Part(\Never.self))

    /// Whether `access`, which registers a mark, was taken note of.
    fileprivate static func isLookedAt(_ access: () -> Void) -> Bool {
        wasAsked = false
        access()
        return wasAsked || !canTell
    }

    /// Whether it works with the standard library at hand; else every access counts as tracked.
    private static let canTell: Bool = {
        let probe = ObservationProbe()
        wasAsked = false
        withObservationTracking {
            probe.access()
        } onChange: {
        }
        return wasAsked
    }()

    /// Whether the calling thread has asked a mark for its hash.
    private static var wasAsked: Bool {
        get { pthread_getspecific(key) != nil }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue ? 1 : 0)) }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
}

/// Finds out whether a source is being read under observation.
final class ObservationProbe: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    // Made once: a reading that is not tracked should cost no more than a look.
    private static let path: any KeyPath<ObservationProbe, Void> & Sendable = {
        let mark = AccessToken.probe
        return \.[mark]
    }()

    private subscript(_ mark: AccessToken) -> Void { () }

    var isTracked: Bool { AccessToken.isLookedAt(access) }

    func access() { registrar.access(self, keyPath: Self.path) }
}
