extension Promise {
    /// The outcome of whichever of `members` settles first, be it a value or an error.
    ///
    /// ```swift
    /// let network = Promise.value("fresh").delay(.seconds(60))
    /// let cache = Promise.value("cached")
    /// print(try await Promise.race([network, cache]).value)
    /// ```
    ///
    /// The members are started together, in order; if one of them has settled already, those behind it are
    /// not started. The others are cancelled as soon as one has settled, unless somebody else is interested
    /// in them, and what they still come to is not reported as unhandled. Cancelling the race cancels its
    /// members in the same way. The interim values of all members are passed on as they come, those at
    /// the very start before anything else.
    ///
    /// It settles where the member does that decides it, and the members' work runs on the scheduler of whoever
    /// starts it. Its cost is linear in the number of members.
    ///
    /// - Returns: A promise that, of no members, is rejected with ``PromiseError/empty``.
    @inlinable
    public static func race(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        choosing(.any, members, Origin(file, line)) { _ in .rejected(Failure(.cancellation)) }
    }

    /// The outcome of whichever argument settles first; the form for an array says more.
    @inlinable
    public static func race(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        race(members, file: file, line: line)
    }

    /// The value of whichever of `members` is fulfilled first.
    ///
    /// ```swift
    /// struct Offline: Error {}
    /// let page = Promise.any([Promise(error: Offline()), Promise.value("from the mirror")])
    /// print(try await page.value)
    /// ```
    ///
    /// The members are started together, in order; if one of them is fulfilled already, those behind it are
    /// not started. The others are cancelled as soon as one is fulfilled, unless somebody else is interested
    /// in them. Cancelling the whole cancels its members in the same way. Errors of members count as seen.
    /// The interim values of all members are passed on as they come, those at the very start before
    /// anything else.
    ///
    /// It settles where the member does that decides it, and the members' work runs on the scheduler of whoever
    /// starts it. Its cost is linear in the number of members.
    ///
    /// - Returns: A promise that is rejected with ``PromiseError/noneFulfilled(_:)`` when all members are,
    ///   their errors in the order of the members; with ``PromiseError/empty`` when there is none.
    @inlinable
    public static func any(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        let origin = Origin(file, line)
        return choosing(.value, members, origin) { places in
            let errors = places.map { $0.storage.rejection.markHandled() }
            return .rejected(Failure(Rejection(PromiseError.noneFulfilled(errors), origin)))
        }
    }

    /// The value of whichever argument is fulfilled first; the form for an array says more.
    @inlinable
    public static func any(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise {
        any(members, file: file, line: line)
    }

    @inlinable
    static func choosing(
        _ rule: MemberCollector.Rule, _ members: [Promise], _ origin: Origin,
        completion: @escaping @Sendable ([StorageReference]) -> Outcome<Value>
    ) -> Promise {
        guard !members.isEmpty else {
            return Promise(representation: .rejected(Rejection(PromiseError.empty, origin)))
        }
        let leadingInterims = members.flatMap { $0.leadingInterims ?? [] }
        return collector(
            rule, origin, forwards: true, leadingInterims: leadingInterims.isEmpty ? nil : leadingInterims
        ) {
            collector, places in
            collector.add(all: members, to: &places)
        } completion: {
            completion($0)
        }
    }
}
