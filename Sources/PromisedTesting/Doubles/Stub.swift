public import Promise

/// An asynchronous dependency whose answers the test gives by hand, when it wants to.
///
/// ```swift
/// import Promise
/// import PromisedTesting
///
/// struct Shop: Sendable {
///     var price: @Sendable (String) -> Promise<Int>
///     var buy: @Sendable (String, Int) -> Promise<Bool>
///     var stock: @Sendable () -> Promise<[String]>
/// }
/// let price = Stub<String, Int>("price")
/// let buy = Stub<(String, Int), Bool>("buy")
/// let stock = Stub<Void, [String]>("stock")
/// let shop = Shop(price: price.function, buy: { buy($0, $1) }, stock: stock.function)
///
/// let tea = shop.price("tea").start()
/// price.report(2)
/// price.fulfill(3)
/// print(price.inputs, try tea.result?.get() ?? 0)
/// ```
///
/// A call counts from the moment in which its promise is started. Building the promise is no call: a reducer that only
/// describes may do that. A call that is cancelled is seen as such, and cannot be settled any more.
///
/// Calls are settled on the thread of the test, before ``fulfill(_:call:fileID:filePath:line:column:)`` returns. What a
/// system makes of the answer waits for its scheduler: call `test.advance()` next.
public final class Stub<Input: Sendable, Value: Sendable>: Sendable {
    private struct Desk: Sendable {
        var calls = StubCalls<Input>()
        /// Of the calls that are open, by number.
        var resolvers: [Int: Resolver<Value>] = [:]
    }

    private let name: String
    private let file: StaticString
    private let line: UInt
    private let desk = Lock(Desk())

    /// - Parameter name: What it is called in failures.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        (self.name, self.file, self.line) = (name, file, line)
    }

    // Nobody can settle them any more. To be cancelled is no error that somebody has to look at.
    deinit { for resolver in desk.withLock({ $0.resolvers.values }) { resolver.reject(CancellationError()) } }

    /// Every call that has begun, whatever became of it, in this order.
    public var calls: [StubCall<Input>] { desk.withLock { $0.calls.all } }

    /// What each call was given, in this order.
    public var inputs: [Input] { calls.map(\.input) }

    // MARK: Settling

    /// Fulfils a call; if there is no such call that is open, the test fails.
    ///
    /// - Parameters:
    ///   - value: The answer.
    ///   - call: Which call: the oldest that is open, unless said.
    public func fulfill(
        _ value: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.fulfilled, call, TestPlace(fileID, filePath, line, column)) { $0.fulfill(value) }
    }

    /// Rejects a call; if there is no such call that is open, the test fails.
    ///
    /// - Parameters:
    ///   - error: Why there is no answer.
    ///   - call: Which call: the oldest that is open, unless said.
    public func reject(
        _ error: any Error, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(.rejected, call, TestPlace(fileID, filePath, line, column)) { $0.reject(error) }
    }

    /// Shows an interim value of a call, which stays open; if there is no such call, the test fails.
    ///
    /// - Parameters:
    ///   - interim: Progress, a cached copy, an optimistic guess.
    ///   - call: Which call: the oldest that is open, unless said.
    public func report(
        _ interim: Value, call: StubChoice<Input> = .oldest, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        settle(nil, call, TestPlace(fileID, filePath, line, column)) { $0.report(interim) }
    }

    /// - Parameter state: What becomes of the call; nil if it stays open.
    func settle(
        _ state: StubCall<Input>.State?, _ choice: StubChoice<Input>, _ place: TestPlace,
        _ act: (Resolver<Value>) -> Void
    ) {
        let calls = desk.withLock { $0.calls }
        switch calls.find(choice) {
        case .failure(let refusal): fail(calls.text(refusal, of: name, doing: state), place)
        case .success(let number):
            let resolver = state.map { end(number, $0) } ?? desk.withLock { $0.resolvers[number] }
            // Outside of the lock, as this runs what waits for the answer.
            if let resolver { act(resolver) }
        }
    }

    /// Asserts at the end of a test that no call is open: each was settled or cancelled.
    ///
    /// Without it, calls that are still open do not fail the test. A ``TestSystem`` tells of its work itself.
    public func finish(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        guard let text = desk.withLock({ $0.calls.textOfOpen(name) }) else { return }
        fail(text, TestPlace(fileID, filePath, line, column))
    }
}

// MARK: - Calling

extension Stub {
    /// The dependency, to give to what is tested. Its calls can be settled for as long as the stub or this is kept.
    public var function: @Sendable (Input) -> Promise<Value> { { [self] in promise($0) } }

    /// A promise of an answer: a call, once it is started.
    ///
    /// - Parameter input: As many as there are inputs.
    public func callAsFunction<each Part>(_ input: repeat each Part) -> Promise<Value>
    where Input == (repeat each Part) {
        promise((repeat each input))
    }

    /// A promise of an answer: a call, once it is started.
    public func callAsFunction(_ input: Input) -> Promise<Value> { promise(input) }

    fileprivate func promise(_ input: Input) -> Promise<Value> {
        Promise({ [self] in begin(input, $0) }, file: file, line: line)
    }

    private func begin(_ input: Input, _ resolver: Resolver<Value>) {
        let number = desk.withLock { desk in
            let number = desk.calls.begin(input)
            desk.resolvers[number] = resolver
            return number
        }
        // Weakly: the promise keeps this until it is settled, and the resolver keeps the promise.
        resolver.onCancel { [weak self] in _ = self?.end(number, .cancelled) }
    }

    private func end(_ number: Int, _ state: StubCall<Input>.State) -> Resolver<Value>? {
        desk.withLock { desk in
            desk.calls.end(number, state)
            return desk.resolvers.removeValue(forKey: number)
        }
    }
}

extension Stub where Input == Void {
    /// The dependency, which is given nothing.
    public var function: @Sendable () -> Promise<Value> { { [self] in promise(()) } }
}
