/// A closure to be kept in a ``Lock``.
///
/// As a value of a generic type it would be wrapped in another closure whenever the lock is taken, and grow
/// with every look; as a field it stays what it is.
package struct Action: Sendable {
    package let run: @Sendable () -> Void

    package init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
