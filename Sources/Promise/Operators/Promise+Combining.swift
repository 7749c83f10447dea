extension Promise {
    /// All values, in the order of the arguments.
    ///
    /// ```swift
    /// let pair = Promise.zip(Promise.value(1), Promise.value("one"))
    /// print(try await pair.value)
    /// ```
    ///
    /// The members are started together. It rejects as soon as one of them does, and the others are then
    /// cancelled unless somebody else is interested in them. Interim values are dropped.
    public static func zip<each Member: Sendable>(
        _ members: repeat Promise<each Member>, file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<(repeat each Member)> where Value == (repeat each Member) {
        Promise(origin: Origin(file, line)) { resolver, scheduler in
            let slots = (repeat Slot<each Member>())
            let gathering = Gathering(resolver) { (repeat (each slots).value()) }
            repeat gathering.add(each members, scheduler) { [slot = each slots] in slot.put($0) }
            gathering.begin()
        }
    }

    /// All values, in the order of `members`, whatever the order in which they come; `[]` for none.
    ///
    /// The members are started together. It rejects as soon as one of them does, and the others are then
    /// cancelled unless somebody else is interested in them. Interim values are dropped. Its cost is linear
    /// in the number of members.
    public static func parallel(
        _ members: [Promise], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Value]> {
        guard !members.isEmpty else { return .value([]) }
        return Promise<[Value]>(origin: Origin(file, line)) { resolver, scheduler in
            let values = Lock([Value?](repeating: nil, count: members.count))
            let gathering = Gathering(resolver) { values.withLock { $0.compactMap(\.self) } }
            for (index, member) in members.enumerated() {
                gathering.add(member, scheduler) { value in values.withLock { $0[index] = value } }
            }
            gathering.begin()
        }
    }

    /// All values, in the order of `members`: the form that names the type of the result.
    @_disfavoredOverload
    public static func parallel<Member: Sendable>(
        _ members: [Promise<Member>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[Member]> where Value == [Member] {
        Promise<Member>.parallel(members, file: file, line: line)
    }
}

/// One value that comes later.
private final class Slot<Value: Sendable>: Sendable {
    private let content = Lock<Value?>(nil)

    func put(_ value: Value) { content.withLock { $0 = value } }

    /// Called only once all have come.
    func value() -> Value { content.withLock { $0! } }
}

/// Waits for all of several promises, or for the first rejection.
private final class Gathering<Output: Sendable>: Sendable {
    private struct Progress {
        // One more than the members, until all have been added.
        var missing = 1
        var observations: [Observation] = []
        var isOver = false
    }

    private let resolver: Resolver<Output>
    private let output: @Sendable () -> Output
    private let progress = Lock(Progress())

    init(_ resolver: Resolver<Output>, output: @escaping @Sendable () -> Output) {
        self.resolver = resolver
        self.output = output
    }

    func add<Member: Sendable>(
        _ member: Promise<Member>, _ scheduler: any SerialScheduler,
        _ put: @escaping @Sendable (Member) -> Void
    ) {
        progress.withLock { $0.missing += 1 }
        let observation = member.observe(on: scheduler) { [self] update in
            guard case .outcome(let outcome) = update else { return }
            switch outcome {
            case .fulfilled(let value):
                put(value)
                countDown()
            case .rejected(let failure):
                resolver.resolve(.rejected(failure))
                cancelRest()
            }
        }
        let isOver = progress.withLock { progress in
            if !progress.isOver { progress.observations.append(observation) }
            return progress.isOver
        }
        if isOver { observation.cancel() }
    }

    /// All members have been added.
    func begin() {
        resolver.onCancel { [self] in cancelRest() }
        countDown()
    }

    private func countDown() {
        let isComplete = progress.withLock { progress in
            progress.missing -= 1
            if progress.missing == 0 { progress.observations = [] }
            return progress.missing == 0
        }
        if isComplete { resolver.fulfill(output()) }
    }

    private func cancelRest() {
        let rest = progress.withLock { progress in
            defer { progress.observations = [] }
            progress.isOver = true
            return progress.observations
        }
        for observation in rest { observation.cancel() }
    }
}
