public import Promise
internal import PromisedSystem

/// What is around a system that is explored: its clock, the calls that it makes, and what must hold of it.
///
/// Each path of an exploration has a world of its own, and builds the system anew in it.
public final class World<State: Sendable>: Sendable {
    /// The scheduler for the system: its time passes when the exploration says so.
    public let scheduler = TestScheduler()

    private let contents = Lock(Contents())

    private struct Contents: Sendable {
        var open: [WorldCall] = []
        /// Calls that will never be answered: whatever waits for them goes on waiting.
        var silent: [WorldCall] = []
        var opened = 0
        var openedByName: [String: Int] = [:]
        var openedByOwner: [Int: Int] = [:]
        var numbers: [@Sendable (inout WorldNumbers) -> Int] = []
        var properties: [Property] = []
    }

    struct Property: Sendable {
        enum Time: Sendable { case always, settled, rest }

        let name: String
        let time: Time
        // In a value of its own, so that it is stored as it is.
        let holds: @Sendable (State) -> Bool
    }

    init() { scheduler.skipReports() }

    // MARK: What may happen

    /// A call to something outside. When its promise is started it is open, until one of its outcomes is chosen; all of
    /// them are tried, at every moment.
    ///
    /// ```swift
    /// import PromisedSystem
    /// import PromisedTesting
    ///
    /// struct Offline: Error {}
    ///
    /// let explorer = Explorer<Int, String>(events: ["save"]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler) { count, _ in
    ///         world.call("save", .value(count + 1), .error(Offline()))
    ///     }
    /// }
    /// print(explorer.explore(depth: 4).states.sorted())
    /// ```
    ///
    /// - Parameters:
    ///   - name: What it is called in scripts.
    ///   - outcomes: How it may turn out. With ``Outcome/cancelled`` it may be cancelled from outside. A call that the
    ///     system cancels is closed.
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: Outcome<Value>..., file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> { call(name, outcomes, file: file, line: line) }

    /// A call to something outside, with outcomes in an array.
    ///
    /// - Parameters:
    ///   - name: What it is called in scripts.
    ///   - outcomes: How it may turn out.
    public func call<Value: Sendable>(
        _ name: String, _ outcomes: [Outcome<Value>], file: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        Promise(
            { [weak self] resolver in
                guard let self else { return }
                let number = open(name, outcomes.map { .init($0, resolver) })
                resolver.onCancel { [weak self] in self?.withdraw(number) }
            }, file: file, line: line)
    }

    /// Something that the world remembers: part of what tells one moment from another.
    ///
    /// - Parameter initial: What is there at the beginning of each path.
    public func variable<Value: Hashable & Sendable>(_ initial: Value) -> WorldVariable<Value> {
        let variable = WorldVariable(initial)
        contents.withLock { $0.numbers.append { $0.number(of: variable.value) } }
        return variable
    }

    // MARK: What must hold

    /// Expects something of every state that is shown: settled ones and loading ones.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func always(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .always, holds)
    }

    /// Expects something of every state that a transition settles on, and of the initial one.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func wheneverSettled(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .settled, holds)
    }

    /// Expects something of the state when nothing more happens by itself: all calls are answered or will never be, no
    /// timer is running. "No spinner is left" is said with this.
    ///
    /// That nothing waits in the queue then is expected of every system.
    ///
    /// - Parameters:
    ///   - name: What it says, in a few words.
    ///   - holds: Whether it does.
    public func atRest(_ name: String, _ holds: @escaping @Sendable (State) -> Bool) {
        expect(name, .rest, holds)
    }

    private func expect(_ name: String, _ time: Property.Time, _ holds: @escaping @Sendable (State) -> Bool) {
        contents.withLock { $0.properties.append(Property(name: name, time: time, holds: holds)) }
    }

    var properties: [Property] { contents.withLock { $0.properties } }

    // MARK: Calls

    /// The calls that can be answered, by name and then by age.
    var openCalls: [WorldCall] { contents.withLock { $0.open } }

    private func open(_ name: String, _ answers: [WorldCall.Answer]) -> Int {
        let owner = scheduler.owner
        return contents.withLock { contents in
            contents.opened += 1
            contents.openedByName[name, default: 0] += 1
            contents.openedByOwner[owner, default: 0] += 1
            let nth = contents.openedByName[name] ?? 1
            let call = WorldCall(
                number: contents.opened, name: name, nth: nth, owner: owner,
                place: contents.openedByOwner[owner] ?? 1, answers: answers)
            let index = contents.open.firstIndex { name < $0.name } ?? contents.open.count
            contents.open.insert(call, at: index)
            return contents.opened
        }
    }

    private func withdraw(_ number: Int) {
        let call = contents.withLock { contents in
            contents.open.firstIndex { $0.number == number }.map { contents.open.remove(at: $0) }
        }
        // Its end may call back.
        withExtendedLifetime(call) {}
    }

    /// Answers a call. What comes of that has happened when this returns, but for what is scheduled.
    func answer(_ index: Int, with choice: Int) {
        let answer = contents.withLock { contents in
            let answer = contents.open[index].answers[choice]
            switch answer.kind {
            case .report: contents.open[index].answers.remove(at: choice)
            case .result: contents.open.remove(at: index)
            case .never: contents.silent.append(contents.open.remove(at: index))
            }
            return answer
        }
        answer.give()
    }

    /// What the variables hold, as numbers.
    func appendVariables(to words: inout [Int], _ numbers: inout WorldNumbers) {
        for number in contents.withLock({ $0.numbers }) { words.append(number(&numbers)) }
    }

    /// Lets go of everything: nothing is heard of it any more.
    func end() {
        let contents = contents.withLock { contents in
            defer { contents = Contents() }
            return contents
        }
        for call in contents.open + contents.silent { call.giveUp() }
    }
}

/// A call that waits for its answer.
struct WorldCall: Sendable {
    struct Answer: Sendable {
        enum Kind: Sendable { case result, report, never }

        let name: String
        let kind: Kind
        let give: @Sendable () -> Void
        let giveUp: @Sendable () -> Void

        init<Value>(_ outcome: Outcome<Value>, _ resolver: Resolver<Value>) {
            name = outcome.name
            giveUp = { resolver.reject(CancellationError()) }
            switch outcome.kind {
            case .result(let answer):
                kind = .result
                give = { resolver.resolve(Swift.Result { try answer() }) }
            case .report(let value):
                kind = .report
                give = { resolver.report(value()) }
            case .never:
                kind = .never
                give = {}
            }
        }
    }

    /// In the order of their opening.
    let number: Int
    let name: String
    /// Which of this name.
    let nth: Int
    let owner: Int
    /// Which of its owner's.
    let place: Int
    var answers: [Answer]

    func giveUp() { answers.first?.giveUp() }
}
