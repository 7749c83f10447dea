extension Promise {
    /// Creates a promise of the values of promises that are made from elements, at most `limit` of which run at a time;
    /// the values are in the order of the elements.
    ///
    /// ```swift
    /// let pages = Promise.parallel(1...100, limit: 4) { number in
    ///     Promise.value("page \(number)").delay(.milliseconds(1))
    /// }
    /// print(try await pages.value.count)
    /// ```
    ///
    /// The elements are taken in order. The first `limit` promises are made and started when the returned promise is
    /// started, each further one when one of those before it has been fulfilled. As soon as one is rejected, the
    /// returned promise is rejected with its error, the other running ones are cancelled unless they have other
    /// observers, and no further one is made. Cancelling the returned promise does the same. Interim values are
    /// dropped.
    ///
    /// Elements that are closures take `{ try $0() }`.
    ///
    /// - Parameters:
    ///   - elements: The elements; iterated once, when the returned promise is started.
    ///   - limit: How many promises may run at a time; less than 1 counts as 1.
    ///   - makePromise: Makes the promise of one element, on the thread that starts the returned promise or that has
    ///     fulfilled an earlier promise, which inherits the scheduler of the chain. A thrown error counts as a
    ///     rejection. A promise that has been started elsewhere does not wait for its turn.
    /// - Complexity: Linear in the number of elements.
    public static func parallel<Elements: Sequence & Sendable>(
        _ elements: Elements, limit: Int, file: StaticString = #fileID, line: UInt = #line,
        _ makePromise: @escaping @Sendable (Elements.Element) throws -> Promise
    ) -> Promise<[Value]> where Elements.Element: Sendable {
        Promise<Void>.value(()).flatMap(
            { LimitedWork(Array(elements), makePromise, file, line).promise(limit: limit) }, file: file,
            line: line)
    }

    /// Creates a promise of the values of promises that are made from elements, at most `limit` of which run at a time:
    /// the overload for calls on the type of the result.
    ///
    /// - Complexity: Linear in the number of elements.
    @_disfavoredOverload
    public static func parallel<Elements: Sequence & Sendable, Member: Sendable>(
        _ elements: Elements, limit: Int, file: StaticString = #fileID, line: UInt = #line,
        _ makePromise: @escaping @Sendable (Elements.Element) throws -> Promise<Member>
    ) -> Promise<[Member]> where Elements.Element: Sendable, Value == [Member] {
        Promise<Member>.parallel(elements, limit: limit, file: file, line: line, makePromise)
    }

    /// Creates a promise of all values, in the order of `members`, at most `limit` of which run at a time: the overload
    /// for promises that exist already, and have not been started.
    ///
    /// ```swift
    /// let prices = [3, 4, 5].map { Promise.value($0).delay(.milliseconds(1)) }
    /// print(try await Promise.parallel(prices, limit: 2).value)
    /// ```
    ///
    /// - Complexity: Linear in the number of members.
    public static func parallel(
        _ members: [Promise], limit: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Value]> {
        parallel(members, limit: limit, file: file, line: line) { $0 }
    }

    /// Creates a promise of all values, in the order of `members`, at most `limit` of which run at a time: the overload
    /// for calls on the type of the result.
    ///
    /// - Complexity: Linear in the number of members.
    @_disfavoredOverload
    public static func parallel<Member: Sendable>(
        _ members: [Promise<Member>], limit: Int, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Member]> where Value == [Member] {
        Promise<Member>.parallel(members, limit: limit, file: file, line: line) { $0 }
    }
}

/// The state of one `parallel(_:limit:)` that runs.
private struct LimitedWork<Element: Sendable, Value: Sendable>: Sendable {
    private let elements: [Element]
    private let makePromise: @Sendable (Element) throws -> Promise<Value>
    private let (file, line): (StaticString, UInt)
    private let next = Lock(0)
    private let values: Lock<[ValueBox<Value>?]>

    init(
        _ elements: [Element], _ makePromise: @escaping @Sendable (Element) throws -> Promise<Value>,
        _ file: StaticString, _ line: UInt
    ) {
        (self.elements, self.makePromise, self.file, self.line) = (elements, makePromise, file, line)
        values = Lock(Array(repeating: nil, count: elements.count))
    }

    /// As many promises as may run at a time; each processes elements, one after the other, until none is left.
    func promise(limit: Int) -> Promise<[Value]> {
        let lanes = (0..<min(max(limit, 1), elements.count)).map { _ in
            Promise<Void>.value(()).flatMap({ try lane() }, file: file, line: line)
        }
        return Promise<Void>.parallel(lanes, file: file, line: line).map(
            { _ in values.exclusive.compactMap { $0?.value } }, file: file, line: line)
    }

    private func lane() throws -> Promise<Void> {
        let index = next.withLock { next in
            defer { next += 1 }
            return next
        }
        guard index < elements.count else { return .value(()) }
        return try makePromise(elements[index]).flatMap(
            {
                values.exclusive[index] = ValueBox($0)
                return try lane()
            }, file: file, line: line)
    }
}
