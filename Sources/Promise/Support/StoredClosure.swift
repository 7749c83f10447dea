/// A closure that can be stored in a generic container such as ``Lock``.
///
/// A closure that is itself the generic value is wrapped in a reabstraction thunk on each access under the lock, so the
/// thunks accumulate; as a field of a struct it is stored unchanged.
package struct StoredClosure: Sendable {
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
