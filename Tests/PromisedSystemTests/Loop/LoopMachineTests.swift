import Testing

@testable import PromisedSystem

@Suite struct LoopMachineTests {
    typealias Machine = LoopMachine<[Int], Int>

    /// What may arrive before the machine is drained.
    enum Move: CaseIterable { case queue, replace, drop, settle, reject, limit, look }

    private enum Told: Equatable {
        case replaced(Int), dropped(Int), settled(Int), rejected(Int), limit(Int)
        case start(Int, on: [Int])
        case rest([Int])
    }

    /// The loop as a list of sequential rules.
    private struct Model {
        var state: [Int] = []
        var running: Int?
        var waiting: [Int] = []
        /// Those of them that are dropped while another one is waiting.
        var droppable: Set<Int> = []
        var front: [Int] = []
        var told: [Told] = []

        mutating func arrive(_ move: Move, _ number: Int, turn: Int?) {
            switch move {
            case .queue: waiting.append(number)
            case .replace:
                if let running { told.append(.replaced(running)) }
                running = nil
                front.append(number)
            case .drop:
                if running == nil, droppable.isDisjoint(with: waiting) {
                    waiting.append(number)
                    droppable.insert(number)
                } else {
                    told.append(.dropped(number))
                }
            case .settle: if let now = running, now == turn { end(.settled(now), adding: [now]) }
            case .reject: if let now = running, now == turn { end(.rejected(now), adding: []) }
            case .limit: if let now = running, now == turn { end(.limit(now), adding: []) }
            case .look: break
            }
        }

        private mutating func end(_ how: Told, adding added: [Int]) {
            state += added
            told.append(how)
            running = nil
        }

        mutating func rest() {
            while true {
                if let now = running {
                    guard !front.isEmpty else { return }
                    told.append(.replaced(now))
                    running = nil
                }
                guard let next = front.isEmpty ? waiting.first : front.first else { return }
                if front.isEmpty { waiting.removeFirst() } else { front.removeFirst() }
                running = next
                told.append(.start(next, on: state))
            }
        }
    }

    private struct Refusal: Error {}

    private static func message(_ move: Move, _ number: Int, _ turn: Int) -> Machine.Message? {
        func entry(_ policy: EventPolicy) -> Machine.Message {
            .event(.init(event: number, policy: policy, origin: Origin("T", 1)))
        }
        switch move {
        case .queue: return entry(.queue)
        case .replace: return entry(.replace)
        case .drop: return entry(.dropWhileBusy)
        case .limit: return .timeLimit(turn: turn, .seconds(1))
        case .settle, .reject, .look: return nil
        }
    }

    @Test("R15: every order of arrivals, up to five of them, behaves like the model")
    func exhaustive() {
        var differences: [String] = []
        var count = 0
        func walk(_ moves: [Move]) {
            count += 1
            let (machine, model) = run(moves)
            if machine != model, differences.count < 5 {
                differences.append("\(moves): \(machine) not \(model)")
            }
            guard moves.count < 5 else { return }
            // Starts with an event; draining an empty machine is a no-op.
            for move in Move.allCases where !(moves.isEmpty && move == .look) { walk(moves + [move]) }
        }
        walk([])
        #expect(count > 10_000)
        #expect(differences.isEmpty)
    }

    @Test("R15: late messages of a replaced turn do not affect the running one")
    func late() {
        var machine = Machine(cascadeLimit: .max)
        func begin(_ number: Int, _ policy: EventPolicy) {
            machine.arrive(
                .event(.init(event: number, policy: policy, origin: Origin("T", 1))))
            while machine.next(now: .zero) != nil {}
            if let entry = machine.nextEvent() { machine.begin(machine.makeTurn(entry)) }
        }
        begin(1, .queue)
        begin(2, .replace)
        let late: [Machine.Message] = [
            .update(turn: 1, .interim(ValueBox([1]))), .update(turn: 1, .outcome(.fulfilled(ValueBox([1])))),
            .update(turn: 1, .outcome(Self.rejection)), .timeLimit(turn: 1, .seconds(1)),
        ]
        for message in late {
            machine.arrive(message)
            switch machine.next(now: .zero) {
            case nil, .forget: break
            case let action?: Issue.record("\(message) led to \(action)")
            }
            #expect(machine.turn?.number == 2)
        }
    }

    @Test("while a transition is in flight, arrived events are enqueued, so that nothing overlooks them")
    func admitsInFlight() {
        var machine = Machine(cascadeLimit: .max)
        func arrive(_ number: Int) {
            let entry = Machine.PendingEvent(
                event: number, policy: .queue, origin: Origin("T", 1))
            machine.arrive(.event(entry))
        }
        arrive(1)
        while machine.next(now: .zero) != nil {}
        if let entry = machine.nextEvent() { machine.begin(machine.makeTurn(entry)) }
        // Behind a message that needs admission, as from another thread.
        machine.arrive(.watchdog)
        for number in 2...4 { arrive(number) }
        while machine.next(now: .zero) != nil {}
        #expect(machine.arrived.isEmpty)
        #expect(machine.takeQueued().map(\.event) == [2, 3, 4])
    }

    /// The traces of the machine and of the model for one order.
    private func run(_ moves: [Move]) -> ([Told], [Told]) {
        var machine = Machine(cascadeLimit: .max)
        var state: [Int] = []
        var model = Model()
        var told: [Told] = []
        var events: [Int: Int] = [:]  // By turn.
        func look() {
            while true {
                switch machine.next(now: .zero) {
                case nil:
                    guard let entry = machine.nextEvent() else { return }
                    let turn = machine.makeTurn(entry)
                    machine.begin(turn)
                    events[turn.number] = turn.event
                    told.append(.start(turn.event, on: state))
                case .finish(let turn, let ending):
                    if case .outcome(.fulfilled(let next)) = ending { state = next.value }
                    told.append(Self.told(ending, turn.event))
                case .drop(let entry, _): told.append(.dropped(entry.event))
                case .showInterim, .checkDuration, .perform, .delay, .endDelay, .endEffect,
                    .note, .forget:
                    break
                }
            }
        }
        for (number, move) in moves.enumerated() {
            // A message that ends a turn refers to the turn that ran when the machine was last drained.
            let turn = machine.lastNumber
            let message: Machine.Message? =
                switch move {
                case .settle:
                    .update(turn: turn, .outcome(.fulfilled(ValueBox(state + [events[turn] ?? -1]))))
                case .reject: .update(turn: turn, .outcome(Self.rejection))
                default: Self.message(move, number, turn)
                }
            if let message { machine.arrive(message) }
            model.arrive(move, number, turn: events[turn])
            if move == .look {
                look()
                model.rest()
            }
        }
        look()
        model.rest()
        return (told + [.rest(state)], model.told + [.rest(model.state)])
    }

    private static let rejection: Outcome<[Int]> = {
        guard let outcome = Promise<[Int]>(error: Refusal()).settledOutcome else {
            fatalError("Not settled.")
        }
        return outcome
    }()

    private static func told(_ ending: Machine.Ending, _ event: Int) -> Told {
        switch ending {
        case .outcome(.fulfilled): .settled(event)
        case .outcome(.rejected): .rejected(event)
        case .timedOut: .limit(event)
        case .replaced: .replaced(event)
        }
    }
}
