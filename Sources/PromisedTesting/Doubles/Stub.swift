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
    struct Desk: Sendable {
        var calls = StubCalls<Input>()
        /// Of the calls that are open, by number.
        var resolvers: [Int: Resolver<Value>] = [:]
    }

    let name: String
    private let file: StaticString
    private let line: UInt
    let desk = Lock(Desk())

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

    func end(_ number: Int, _ state: StubCall<Input>.State) -> Resolver<Value>? {
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
