internal import Promise

/// What of a world is the same for all systems: its clock, its calls, and what it remembers.
@usableFromInline
final class WorldCore: Sendable {
    @usableFromInline let scheduler = TestScheduler()
    private let contents = Lock(Contents())

    private struct Contents: Sendable {
        /// By name, and then by age.
        var open: [WorldCall] = []
        /// Calls that will never be answered: whatever waits for them goes on waiting.
        var silent: [WorldCall] = []
        var opened = 0
        var labels = Labels()
        var openedByOwner: [Int: Int] = [:]
        var variables: [@Sendable (WorldNumbers) -> Int] = []
        /// The names of calls that the system has cancelled.
        var withdrawn: Set<String> = []
        var isLooking = false
        var onRead: (@Sendable (Int) -> Void)?
    }

    /// nil where moments are not compared.
    let numbers: WorldNumbers?

    @usableFromInline
    init(_ numbers: WorldNumbers?) {
        self.numbers = numbers
        scheduler.beExplored()
    }

    // MARK: What it remembers

    /// Has somebody told of what is read of variables, by its number.
    @usableFromInline
    func onRead(_ body: @escaping @Sendable (Int) -> Void) { contents.withLock { $0.onRead = body } }

    /// Something was read of a variable, and may be gone by.
    func noteRead(of number: Int) { contents.withLock { $0.isLooking ? nil : $0.onRead }?(number) }

    /// Looks at what the world remembers, from outside: nothing comes of that.
    @usableFromInline
    func looking(_ body: () -> Bool) -> Bool {
        contents.withLock { $0.isLooking = true }
        defer { contents.withLock { $0.isLooking = false } }
        return body()
    }

    /// Has a variable be part of every moment.
    func remember(_ number: @escaping @Sendable (WorldNumbers) -> Int) {
        contents.withLock { $0.variables.append(number) }
    }

    /// What the variables hold, as numbers.
    func appendVariables(to words: inout [Int]) {
        guard let numbers else { return }
        for number in contents.withLock({ $0.variables }) { words.append(number(numbers)) }
    }

    // MARK: Calls

    /// The calls that can be answered, by name and then by age.
    var openCalls: [WorldCall] { contents.withLock { $0.open } }

    /// - Returns: The number of the call.
    @usableFromInline
    func open(
        _ name: String, _ outcomes: [WorldCall.Answer], giveUp: @escaping @Sendable () -> Void
    ) -> Int {
        let owner = scheduler.owner
        return contents.withLock { contents in
            contents.opened += 1
            contents.openedByOwner[owner, default: 0] += 1
            let call = WorldCall(
                number: contents.opened, name: name, nth: contents.labels.next(name), owner: owner,
                place: contents.openedByOwner[owner] ?? 1, outcomes: outcomes, giveUp: giveUp)
            if outcomes.isEmpty {
                contents.silent.append(call)
            } else {
                let index = contents.open.firstIndex { name < $0.name } ?? contents.open.count
                contents.open.insert(call, at: index)
            }
            return contents.opened
        }
    }

    /// How many calls were opened so far; each has the next number.
    var opened: Int { contents.withLock { $0.opened } }

    /// Whether calls will never be answered that wait for it.
    var hasSilentCalls: Bool { contents.withLock { !$0.silent.isEmpty } }

    /// Whether the system has cancelled a call of this name: an answer that comes now is not heard.
    func isWithdrawn(_ label: String) -> Bool { contents.withLock { $0.withdrawn.contains(label) } }

    /// The system has cancelled a call.
    @usableFromInline
    func withdraw(_ number: Int) {
        let call = contents.withLock { contents -> WorldCall? in
            if let place = contents.open.firstIndex(where: { $0.number == number }) {
                contents.withdrawn.insert(contents.open[place].label)
                return contents.open.remove(at: place)
            }
            return contents.silent.firstIndex { $0.number == number }.map { contents.silent.remove(at: $0) }
        }
        // Its end may call back.
        withExtendedLifetime(call) {}
    }

    /// Answers a call. What comes of that has happened when this returns, but for what is scheduled.
    func answer(_ index: Int, with choice: Int) {
        let call = contents.withLock { contents in
            let call = contents.open[index]
            switch call[choice].kind {
            case .report:
                contents.open[index].spend(choice)
                if contents.open[index].count == 0 { contents.silent.append(contents.open.remove(at: index)) }
            case .result: contents.open.remove(at: index)
            case .never: contents.silent.append(contents.open.remove(at: index))
            }
            return call
        }
        // With the call go the answers that it was not given: their ends may call back.
        call[choice].give()
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
