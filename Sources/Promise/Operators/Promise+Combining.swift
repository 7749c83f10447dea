extension Promise {
    /// Creates a promise of all values, as a tuple in the order of the arguments.
    ///
    /// ```swift
    /// let pair = Promise.zip(Promise.value(1), Promise.value("one"))
    /// print(try await pair.value)
    /// ```
    ///
    /// The members are started concurrently, in order. As soon as one is rejected, the returned promise is rejected
    /// with its error, and the other members are cancelled unless they have other observers. Cancelling the returned
    /// promise cancels its members in the same way. Interim values are dropped.
    ///
    /// It settles on the thread that settles the deciding member, and its members inherit the scheduler of its chain.
    ///
    /// - Complexity: Linear in the number of members.
    public static func zip<each Member: Sendable>(
        _ members: repeat Promise<each Member>, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<(repeat each Member)> where Value == (repeat each Member) {
        Promise.collector(.rejection, Origin(file, line)) { collector, places in
            repeat collector.add((each members).storage, to: &places)
        } completion: { members in
            .fulfilled(PromiseStorage.tuple(of: members.map(\.member)))
        }
    }

    /// Creates a promise of all values, in the order of `members` and not of their settlement; `[]` if it is empty.
    ///
    /// ```swift
    /// let prices = Promise.parallel([Promise.value(3), Promise.value(4)])
    /// print(try await prices.value)
    /// ```
    ///
    /// The members are started concurrently, in order. As soon as one is rejected, the returned promise is rejected
    /// with its error, and the other members are cancelled unless they have other observers. Cancelling the returned
    /// promise cancels its members in the same way. Interim values are dropped.
    ///
    /// It settles on the thread that settles the deciding member, and its members inherit the scheduler of its chain.
    /// To limit how many of them run at a time, use ``parallel(_:limit:file:line:)->Promise<[Value]>``.
    ///
    /// - Complexity: Linear in the number of members.
    @inlinable
    public static func parallel(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Value]> {
        guard !members.isEmpty else { return .value([]) }
        return .collector(.rejection, Origin(file, line)) {
            $0.add(all: members, to: &$1)
        } completion: { members in
            .fulfilled(ValueBox(members.map { $0.member.storage.value(as: Value.self) }))
        }
    }

    /// Creates a promise of all values, in the order of `members`: the overload for calls on the type of the result,
    /// as in `Promise<[Int]>.parallel(members)`.
    ///
    /// - Complexity: Linear in the number of members.
    @_disfavoredOverload
    public static func parallel<Member: Sendable>(
        _ members: [Promise<Member>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Member]> where Value == [Member] {
        Promise<Member>.parallel(members, file: file, line: line)
    }

    /// Creates a promise of the outcomes of all members, in the order of `members`; `[]` if it is empty.
    ///
    /// ```swift
    /// struct Missing: Error {}
    /// let all = Promise.allSettled([Promise.value(1), Promise(error: Missing())])
    /// print(try await all.value.count { (try? $0.get()) != nil })
    /// ```
    ///
    /// The members are started concurrently, in order. Their errors do not reject the returned promise: they are part
    /// of its value and count as handled; the result of a cancelled member is a `CancellationError`. Cancelling the
    /// returned promise cancels its members unless they have other observers. Interim values are dropped.
    ///
    /// It settles on the thread that settles the last member, and its members inherit the scheduler of its chain.
    ///
    /// - Complexity: Linear in the number of members.
    public static func allSettled(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        guard !members.isEmpty else { return .value([]) }
        return .collector(.none, Origin(file, line)) {
            $0.add(all: members, to: &$1)
        } completion: { members in
            .fulfilled(ValueBox(members.map { $0.member.storage.outcome(of: Value.self).result }))
        }
    }

    /// Creates a promise of the outcomes of all arguments, in order: the variadic form of the overload for an array,
    /// which describes the details.
    ///
    /// - Complexity: Linear in the number of members.
    public static func allSettled(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        allSettled(members, file: file, line: line)
    }

    /// Creates a promise of the outcomes of all members, in the order of `members`: the overload for calls on the type
    /// of the result, as in `Promise<[Result<Int, any Error>]>.allSettled(members)`.
    ///
    /// - Complexity: Linear in the number of members.
    @_disfavoredOverload
    public static func allSettled<Member: Sendable>(
        _ members: [Promise<Member>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise where Value == [Result<Member, any Error>] {
        Promise<Member>.allSettled(members, file: file, line: line)
    }

    /// Creates a promise of the outcomes of all arguments, in order: the variadic form of the overload for calls on the
    /// type of the result.
    ///
    /// - Complexity: Linear in the number of members.
    @_disfavoredOverload
    public static func allSettled<Member: Sendable>(
        _ members: Promise<Member>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise where Value == [Result<Member, any Error>] {
        Promise<Member>.allSettled(members, file: file, line: line)
    }
}
