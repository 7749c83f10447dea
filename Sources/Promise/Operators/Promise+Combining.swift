extension Promise {
    /// All values, in the order of the arguments.
    ///
    /// ```swift
    /// let pair = Promise.zip(Promise.value(1), Promise.value("one"))
    /// print(try await pair.value)
    /// ```
    ///
    /// The members are started together, in order. It rejects as soon as one of them does, and the others are
    /// then cancelled unless somebody else is interested in them; cancelling it cancels them in the same way.
    /// Interim values are dropped.
    ///
    /// It settles where the member does that decides it, and the members' work runs on the scheduler of whoever
    /// starts it. Its cost is linear in the number of members.
    @inlinable
    public static func zip<each Member: Sendable>(
        _ members: repeat Promise<each Member>, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<(repeat each Member)> where Value == (repeat each Member) {
        Promise.collector(.rejection, Origin(file, line)) { collector, places in
            repeat collector.add(each members, to: &places)
        } completion: { places in
            let whole = PromiseStorage.fulfilled((repeat each Member).self)
            // Each into its place, and not by way of the stack: a tuple's elements lie one behind the other, aligned.
            var rest = UnsafeMutableRawPointer(whole.payload(of: (repeat each Member).self))
            var index = 0
            func put<Next>(_: Next.Type) {
                let place = rest.alignedUp(for: Next.self).assumingMemoryBound(to: Next.self)
                place.initialize(copying: places[index].storage.payload(of: Next.self))
                rest = UnsafeMutableRawPointer(place) + MemoryLayout<Next>.size
                index += 1
            }
            repeat put((each Member).self)
            return .fulfilled(whole.box(of: (repeat each Member).self))
        }
    }

    /// All values, in the order of `members`, whatever the order in which they come; `[]` for none.
    ///
    /// ```swift
    /// let prices = Promise.parallel([Promise.value(3), Promise.value(4)])
    /// print(try await prices.value)
    /// ```
    ///
    /// The members are started together, in order. It rejects as soon as one of them does, and the others are
    /// then cancelled unless somebody else is interested in them; cancelling it cancels them in the same way.
    /// Interim values are dropped.
    ///
    /// It settles where the member does that decides it, and the members' work runs on the scheduler of whoever
    /// starts it. Its cost is linear in the number of members.
    @inlinable
    public static func parallel(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Value]> {
        guard !members.isEmpty else { return .value([]) }
        return .collector(.rejection, Origin(file, line)) { collector, places in
            collector.add(all: members, to: &places)
        } completion: { places in
            .fulfilled(ValueBox(places.map { $0.storage.value(as: Value.self) }))
        }
    }

    /// All values, in the order of `members`: the form that names the type of the result.
    @_disfavoredOverload
    @inlinable
    public static func parallel<Member: Sendable>(
        _ members: [Promise<Member>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Member]> where Value == [Member] {
        Promise<Member>.parallel(members, file: file, line: line)
    }

    /// What became of each, in the order of `members`; `[]` for none.
    ///
    /// ```swift
    /// struct Missing: Error {}
    /// let all = Promise.allSettled([Promise.value(1), Promise(error: Missing())])
    /// print(try await all.value.count { (try? $0.get()) != nil })
    /// ```
    ///
    /// The members are started together, in order. It is never rejected by them: their errors are in the
    /// result, and count as seen; a member that was cancelled has `CancellationError` there. Cancelling it
    /// cancels the members unless somebody else is interested in them. Interim values are dropped.
    ///
    /// It settles where the last member does, and the members' work runs on the scheduler of whoever starts it.
    /// Its cost is linear in the number of members.
    @inlinable
    public static func allSettled(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        guard !members.isEmpty else { return .value([]) }
        return .collector(.none, Origin(file, line)) { collector, places in
            collector.add(all: members, to: &places)
        } completion: { places in
            .fulfilled(ValueBox(places.map { $0.storage.outcome(of: Value.self).result }))
        }
    }

    /// What became of each of the arguments, in their order; the form for an array says more.
    @inlinable
    public static func allSettled(
        _ members: Promise..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Result<Value, any Error>]> {
        allSettled(members, file: file, line: line)
    }
}
