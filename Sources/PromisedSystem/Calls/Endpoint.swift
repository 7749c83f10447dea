public import Promise

/// A function that a program asks something of the outside with: a server, a disk, a clock, a random number.
///
/// A client is a struct of endpoints. It is written once, and used unchanged in the app, in a test with stubs, and in
/// an exploration: the scheduler on which a call starts decides who answers it. On a scheduler of an app that is the
/// function itself.
///
/// ```swift
/// import PromisedSystem
///
/// struct Shop: Sendable {
///     var price: Endpoint<String, Int>
///     var buy: Endpoint<(String, Int), Bool>
///
///     static let live = Shop(
///         price: Endpoint("price") { name in try await Self.download(name) },
///         buy: Endpoint("buy") { name, count in Promise.value(count < 10).delay(.milliseconds(1)) })
///
///     static func download(_ name: String) async throws -> Int { name.count }
/// }
///
/// print(try await Shop.live.price("tea").value, try await Shop.live.buy("tea", 2).value)
/// ```
///
/// The call begins when its promise is started. Creating the promise calls nothing, so a reducer that only describes
/// work may do that.
public struct Endpoint<Input: Sendable, Output: Sendable>: Sendable {
    /// What the endpoint is called in tests, explorations and reports.
    public let name: String
    /// The type of the errors that are kept whole where calls are recorded.
    @usableFromInline let failing: (any (Error & Codable).Type)?
    @usableFromInline let live: @Sendable (Input, Origin) -> Promise<Output>

    /// Creates an endpoint from a function that returns a promise.
    ///
    /// - Parameters:
    ///   - name: The name in tests, explorations and reports. Two endpoints of a program that have the same types need
    ///     different names.
    ///   - failing: The type of the errors that a recording keeps whole; of others it keeps the text.
    ///   - live: The function, with one argument per element of `Input`. It is called once per call, when the promise
    ///     of the call starts, on the thread that starts it; what it returns is started there.
    public init(
        _ name: String, failing: (any (Error & Codable).Type)? = nil,
        _ live: @escaping @Sendable (Input) -> Promise<Output>
    ) {
        (self.name, self.failing) = (name, failing)
        self.live = { input, _ in live(input) }
    }

    /// Creates an endpoint from an `async` function.
    ///
    /// - Parameters:
    ///   - name: The name in tests, explorations and reports. Two endpoints of a program that have the same types need
    ///     different names.
    ///   - failing: The type of the errors that a recording keeps whole; of others it keeps the text.
    ///   - live: The function, with one argument per element of `Input`. It runs in a task of its own on the scheduler
    ///     of the chain, as in a promise from `async` work; cancelling the promise cancels the task.
    public init(
        _ name: String, failing: (any (Error & Codable).Type)? = nil,
        _ live: nonisolated(nonsending) @escaping @Sendable (Input) async throws -> Output
    ) {
        (self.name, self.failing) = (name, failing)
        self.live = { input, origin in Promise(origin: origin) { try await live(input) } }
    }

    /// Returns a promise of the result. Starting it begins the call.
    ///
    /// - Parameter input: One argument per element of `Input`.
    @inlinable
    @_disfavoredOverload
    public func callAsFunction<each Part>(
        _ input: repeat each Part, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Output> where Input == (repeat each Part) {
        EndpointCall.promise(self, (repeat each input), file, line)
    }

    /// Returns a promise of the result. Starting it begins the call.
    @inlinable
    public func callAsFunction(
        _ input: Input, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Output> { EndpointCall.promise(self, input, file, line) }
}
