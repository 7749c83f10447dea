extension Promise {
    /// Creates a promise with the outcome of the first member to settle, whether a value or an error.
    ///
    /// ```swift
    /// let network = Promise.value("fresh").delay(.seconds(60))
    /// let cache = Promise.value("cached")
    /// print(try await Promise.race([network, cache]).value)
    /// ```
    ///
    /// The members are started concurrently, in order; if one of them has already settled, the members after it are
    /// not started. As soon as one settles, the others are cancelled unless they have other observers, and errors of
    /// those others are not reported as unhandled. Cancelling the race cancels its members in the same way. The
    /// interim values of all members are forwarded as they are reported, after the leading ones of all members.
    ///
    /// It settles on the thread that settles the winner, and its members inherit the scheduler of its chain.
    ///
    /// - Complexity: Linear in the number of members.
    /// - Returns: A promise that is rejected with ``PromiseError/empty`` if `members` is empty.
    public static func race(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        choosing(.any, members, Origin(file, line)) { _ in .rejected(Failure(.cancellation)) }
    }

    /// Creates a promise with the outcome of the first argument to settle: the variadic form of the overload for an
    /// array, which describes the details.
    ///
    /// - Complexity: Linear in the number of members.
    public static func race(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        race(members, file: file, line: line)
    }

    /// Creates a promise with the value of the first member to be fulfilled.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let page = Promise.any([Promise(error: Offline()), Promise.value("from the mirror")])
    /// print(try await page.value)
    /// ```
    ///
    /// The members are started concurrently, in order; if one of them is already fulfilled, the members after it are
    /// not started. As soon as one is fulfilled, the others are cancelled unless they have other observers.
    /// Cancelling the returned promise cancels its members in the same way. Errors of members count as handled. The
    /// interim values of all members are forwarded as they are reported, after the leading ones of all members.
    ///
    /// It settles on the thread that settles the deciding member, and its members inherit the scheduler of its chain.
    ///
    /// - Complexity: Linear in the number of members.
    /// - Returns: A promise that is rejected with ``PromiseError/noneFulfilled(_:)`` if all members are rejected,
    ///   with their errors in the order of the members, and with ``PromiseError/empty`` if `members` is empty.
    public static func any(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let origin = Origin(file, line)
        return choosing(.value, members, origin) { members in
            let errors = members.map { $0.member.storage.rejection.markHandled() }
            return .rejected(Failure(Rejection(PromiseError.noneFulfilled(errors), origin)))
        }
    }

    /// Creates a promise with the value of the first argument to be fulfilled: the variadic form of the overload for
    /// an array, which describes the details.
    ///
    /// - Complexity: Linear in the number of members.
    public static func any(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        any(members, file: file, line: line)
    }

    static func choosing(
        _ rule: MemberCollector.Rule, _ members: [Promise], _ origin: Origin,
        completion: @escaping @Sendable ([MemberCollector.ObservedMember]) -> Outcome<Value>
    ) -> Promise {
        guard !members.isEmpty else {
            return Promise(Rejection(PromiseError.empty, origin))
        }
        let leadingInterims = members.flatMap { $0.leadingInterims ?? [] }
        return collector(
            rule, origin, forwards: true, add: { $0.add(all: members, to: &$1) }, completion: completion
        ).led(by: leadingInterims.isEmpty ? nil : leadingInterims)
    }
}
