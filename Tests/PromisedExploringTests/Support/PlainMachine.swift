import PromisedExploring
import PromisedSystem

/// A model of a ``RandomMachine`` as plain steps over values: without promises, systems or clocks.
struct PlainMachine {
    struct Waiting: Hashable {
        let event: Int
        /// The state whose work has sent it, if any.
        let sender: Int?
    }

    struct Running: Hashable {
        let event: Int
        let outcomes: [Int?]
        /// When it is due, in seconds; nil while a call is open.
        var left: Duration?
        let hasShownLoading: Bool
    }

    let machine: RandomMachine
    private(set) var settled = 0
    private(set) var shown = 0
    private(set) var isLoading = false
    private(set) var running: Running?
    private(set) var queue: [Waiting] = []
    /// The work that the last settled state requests, and whether its call is open.
    private(set) var asked: Int?
    private(set) var isWorkOpen = false
    /// How many calls were started, by name.
    private var begun: [String: Int] = [:]
    /// The states shown by the last step.
    private(set) var news: [Shown<Int>] = []

    init(_ machine: RandomMachine) {
        self.machine = machine
        askForWork()
    }

    // MARK: Steps

    /// The possible steps, in the order in which an explorer tries them.
    var steps: [Step<Int>] {
        var steps = (0..<machine.events).map { Step.send($0) }
        if let running, running.left == nil {
            steps += running.outcomes.indices.map { .answer(label("transition"), "\($0)") }
        }
        if isWorkOpen, let asked {
            steps += (machine.work[asked] ?? []).indices.map { .answer(label("work \(asked)"), "\($0)") }
        }
        if let left = running?.left { steps.append(.advance(by: left)) }
        return steps
    }

    private func label(_ name: String) -> String {
        let number = begun[name] ?? 1
        return number == 1 ? name : "\(name) \(number)"
    }

    mutating func take(_ step: Step<Int>) {
        news = []
        switch step {
        case .send(let event): arrive(Waiting(event: event, sender: nil))
        case .answer(let call, let choice) where call.hasPrefix("work"):
            guard let asked else { return }
            isWorkOpen = false
            if machine.work[asked]?[Int(choice) ?? 0] == true {
                arrive(Waiting(event: machine.events + asked, sender: asked))
            }
        case .answer(_, let choice): end(with: running?.outcomes[Int(choice) ?? 0])
        case .advance: end(with: running?.outcomes.first ?? nil)
        case .action: return
        }
        drain()
    }

    /// Whether nothing more happens without a step.
    var isAtRest: Bool { running == nil && !isWorkOpen }

    // MARK: What happens

    private mutating func arrive(_ waiting: Waiting) {
        switch machine.policies[waiting.event] {
        case .replace:
            guard let replaced = running else { return queue.append(waiting) }
            running = nil
            begin(waiting.event, replacing: replaced)
        case .dropWhileBusy
        where running != nil || queue.contains { machine.policies[$0.event] == .dropWhileBusy }:
            break
        default: queue.append(waiting)
        }
    }

    private mutating func drain() {
        while running == nil, !queue.isEmpty { begin(queue.removeFirst().event, replacing: nil) }
    }

    private mutating func begin(_ event: Int, replacing replaced: Running?) {
        let transition = machine.transitions[settled][event]
        if case .call(_, loading: .some) = transition {
        } else if replaced?.hasShownLoading == true {
            show(settled)
        }
        switch transition {
        case .atOnce(let next): settle(next)
        case .delay(let duration, let next):
            running = Running(event: event, outcomes: [next], left: duration, hasShownLoading: false)
        case .call(let outcomes, let loading):
            running = Running(event: event, outcomes: outcomes, left: nil, hasShownLoading: loading != nil)
            begun["transition", default: 0] += 1
            if let loading { show(loading, isLoading: true) }
        }
    }

    private mutating func end(with next: Int??) {
        guard let ended = running else { return }
        running = nil
        if case .some(.some(let next)) = next {
            settle(next)
        } else if ended.hasShownLoading {
            show(settled)
        }
    }

    private mutating func settle(_ next: Int) {
        settled = next
        show(next)
        askForWork()
    }

    private mutating func show(_ state: Int, isLoading: Bool = false) {
        (shown, self.isLoading) = (state, isLoading)
        news.append(isLoading ? .loading(state) : .settled(state))
    }

    /// Cancels work that is no longer requested, and discards the pending events that it has sent.
    private mutating func askForWork() {
        let wanted = machine.work[settled] == nil ? nil : settled
        guard wanted != asked else { return }
        if let asked { queue.removeAll { $0.sender == asked } }
        (asked, isWorkOpen) = (wanted, wanted != nil)
        if let wanted { begun["work \(wanted)", default: 0] += 1 }
    }
}
