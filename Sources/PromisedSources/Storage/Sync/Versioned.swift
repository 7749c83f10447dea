public import Promise

/// A value with a version: of two versions, the greater one is newer.
///
/// Each change must give the value a greater version, such as a counter or a date. Values of equal versions count as
/// equal.
public protocol Versioned: Sendable {
    associatedtype Version: Comparable & Sendable

    /// The version of the value.
    var version: Version { get }
}

/// The requests to a server, or another place, that keeps a value.
public struct RemoteStorage<Value: Versioned>: Sendable {
    let get: @Sendable () -> Promise<Value?>
    let create: @Sendable (Value) -> Promise<Void>
    let update: @Sendable (_ value: Value, _ old: Value) -> Promise<Void>
    let delete: @Sendable (Value) -> Promise<Void>

    /// Creates the requests from closures, which are called on the scheduler of the sync, one at a time. A rejected
    /// promise is a failure, after which all is tried again.
    ///
    /// - Parameters:
    ///   - get: Gets the present value; nil if there is none.
    ///   - create: Stores a value where there was none.
    ///   - update: Stores a value in place of an older one, which it also receives. The server should reject it if it
    ///     has another value by then: the newer one is then taken from there.
    ///   - delete: Deletes a value, which it receives. The server should reject it if it has another value by then.
    public init(
        get: @escaping @Sendable () -> Promise<Value?>, create: @escaping @Sendable (Value) -> Promise<Void>,
        update: @escaping @Sendable (_ value: Value, _ old: Value) -> Promise<Void>,
        delete: @escaping @Sendable (Value) -> Promise<Void>
    ) {
        (self.get, self.create, self.update, self.delete) = (get, create, update, delete)
    }
}
