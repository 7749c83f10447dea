public import Promise

/// Returns a dependency that a test does not expect to be called: it fails the test when its promise is started.
///
/// ```swift
/// import Promise
/// import PromisedTesting
///
/// struct Shop: Sendable {
///     var price: @Sendable (String) -> Promise<Int> = unimplemented("price")
///     var buy: @Sendable (String, Int) -> Promise<Bool> = unimplemented("buy")
/// }
/// let shop = Shop(price: { .value($0.count) })
/// print(try shop.price("tea").result?.get() ?? 0)
/// ```
///
/// Creating the promise does not count, so a reducer that only describes work may do that. The started promise is
/// rejected with ``UnimplementedError``.
///
/// - Parameter name: The name of the dependency in the failure text.
public func unimplemented<each Input, Value: Sendable>(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
) -> @Sendable (repeat each Input) -> Promise<Value> {
    let place = TestPlace(fileID, filePath, line, column)
    return { (_: repeat each Input) in
        Promise(
            { resolver in
                fail(
                    """
                    "\(name)" was called, but the test does not implement it.

                    Pass an implementation to the code under test, or find out why it makes this call.
                    """, place)
                resolver.reject(UnimplementedError(name: name))
            }, file: fileID, line: line)
    }
}

/// The error with which an ``unimplemented(_:fileID:filePath:line:column:)`` dependency rejects its promise.
public struct UnimplementedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the dependency.
    public let name: String

    /// A sentence with the name of the dependency.
    public var description: String { "\"\(name)\" is not implemented in this test." }
}
