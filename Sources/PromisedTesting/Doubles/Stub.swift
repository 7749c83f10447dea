public import Promise
public import PromisedSystem

/// A test double for an asynchronous dependency, whose calls the test settles by hand.
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
/// A call begins when its promise is started. Creating the promise is not a call, so a reducer that only describes work
/// may do that. A cancelled call is recorded as such, and cannot be settled any more.
///
/// Calls are settled synchronously on the thread of the test, before
/// ``fulfill(_:call:fileID:filePath:line:column:)`` returns. A system processes the result on its scheduler: call
/// `test.advance()` next.
public final class Stub<Input: Sendable, Value: Sendable>: Sendable {
    struct Responses: Sendable {
        var calls = StubCalls<Input>()
        /// The resolvers of the open calls, by call number.
        var resolvers: [Int: Resolver<Value>] = [:]
        /// Where the stub was created that answers the endpoint now.
        var replacement: TestPlace?
    }

    let name: String
    private let file: StaticString
    private let line: UInt
    let contents = Lock(Responses())

    /// Creates a stub without calls.
    ///
    /// - Parameter name: The name of the dependency in failure texts.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        (self.name, self.file, self.line) = (name, file, line)
    }

    /// Creates a stub that answers the calls of an endpoint on a scheduler, so that the client needs no change.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// let price = Endpoint<String, Int>("price") { name in .value(name.count) }
    ///
    /// let test = TestSystem<Int, String>(initialState: 0) { total, name in price(name).map { total + $0 } }
    /// let stub = Stub(price, on: test.scheduler)
    /// test.send("tea")
    /// stub.fulfill(4)
    /// test.advance()
    /// test.assert { $0 = 4 }
    /// test.finish()
    /// ```
    ///
    /// The scheduler retains the stub. From the first stub on, a call of an endpoint without one fails the test: see
    /// ``TestScheduler/allowsLiveCalls``. A later stub of the same endpoint replaces this one for calls that begin from
    /// then on.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, recognized by its name and its types.
    ///   - scheduler: The scheduler on which the calls start, such as that of the system under test.
    public convenience init(
        _ endpoint: Endpoint<Input, Value>, on scheduler: TestScheduler, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        self.init(endpoint.name, file: fileID, line: line)
        let place = TestPlace(fileID, filePath, line, column)
        guard let stubs = scheduler.stubs else {
            fail(
                """
                "\(name)" cannot have a stub on the scheduler of an exploration.

                There, declare how its calls may turn out, with world.outcomes(of:).
                """, place)
            return
        }
        stubs.add(self, place)
    }

    // Open calls can no longer be settled. They are rejected as cancelled, which is not reported as an unhandled error.
    deinit {
        for resolver in contents.withLock({ $0.resolvers.values }) { resolver.reject(CancellationError()) }
    }

    /// All calls in the order in which they began, settled and cancelled ones included.
    public var calls: [StubCall<Input>] { contents.withLock { $0.calls.all } }

    /// The inputs of all ``calls``, in the same order.
    public var inputs: [Input] { calls.map(\.input) }
}

// MARK: - Calling

extension Stub {
    /// The dependency as a function, to pass to the code under test.
    ///
    /// It retains the stub. When the stub is released, its open calls are rejected with `CancellationError`.
    public var function: @Sendable (Input) -> Promise<Value> { { [self] in promise($0) } }

    /// The dependency as an endpoint, to put it into a client by hand; it retains the stub.
    public var endpoint: Endpoint<Input, Value> { Endpoint(name) { [self] in promise($0) } }

    /// Returns a promise of the result. Starting it begins a call.
    ///
    /// - Parameter input: One argument per element of `Input`.
    public func callAsFunction<each Part>(_ input: repeat each Part) -> Promise<Value>
    where Input == (repeat each Part) {
        promise((repeat each input))
    }

    /// Returns a promise of the result. Starting it begins a call.
    public func callAsFunction(_ input: Input) -> Promise<Value> { promise(input) }

    fileprivate func promise(_ input: Input) -> Promise<Value> {
        Promise({ [self] in begin(input, $0) }, file: file, line: line)
    }

    private func begin(_ input: Input, _ resolver: Resolver<Value>) {
        let number = contents.withLock { contents in
            let number = contents.calls.begin(input)
            contents.resolvers[number] = resolver
            return number
        }
        // Weak, as the promise retains this stub until it is settled, and the stub retains the promise's resolver.
        resolver.onCancel { [weak self] in _ = self?.end(number, .cancelled) }
    }

    func isReplaced(at place: TestPlace) { contents.withLock { $0.replacement = place } }

    func end(_ number: Int, _ state: StubCall<Input>.State) -> Resolver<Value>? {
        contents.withLock { contents in
            contents.calls.end(number, state)
            return contents.resolvers.removeValue(forKey: number)
        }
    }
}

extension Stub where Input == Void {
    /// The dependency as a function without arguments; it retains the stub.
    public var function: @Sendable () -> Promise<Value> { { [self] in promise(()) } }
}
