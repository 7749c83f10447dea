public import Promise

/// A dependency that a test does not expect to be used: the test fails when its work begins.
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
/// To build the promise is no use yet: a reducer that only describes may do that. The promise is rejected with
/// ``UnimplementedError``.
///
/// - Parameter name: What it is called in the failure.
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
                    "\(name)" was used, and the test has not said what it does.

                    Give what is tested one that answers, or find out why it is asked.
                    """, place)
                resolver.reject(UnimplementedError(name: name))
            }, file: fileID, line: line)
    }
}

/// What a dependency answers that a test does not expect to be used.
public struct UnimplementedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What it is called.
    public let name: String

    /// A sentence that names it.
    public var description: String { "\"\(name)\" is not implemented in this test." }
}
