public import Promise

/// A call that is waiting for its answer.
@usableFromInline
final class WorldCall: Sendable {
    @usableFromInline
    struct Answer: Sendable {
        @usableFromInline
        enum AnswerKind: Sendable { case result, report, never }

        let name: @Sendable () -> String
        let kind: AnswerKind
        let give: @Sendable () -> Void

        @usableFromInline
        init(name: @escaping @Sendable () -> String, kind: AnswerKind, give: @escaping @Sendable () -> Void) {
            (self.name, self.kind, self.give) = (name, kind, give)
        }

        @inlinable
        init<Value>(_ outcome: Outcome<Value>, _ resolver: Resolver<Value>) {
            switch outcome.kind {
            case .result(let answer):
                self.init(name: outcome.name, kind: .result) {
                    do { resolver.fulfill(try answer()) } catch { resolver.reject(error) }
                }
            case .report(let value):
                self.init(name: outcome.name, kind: .report) { resolver.report(value()) }
            case .never: self.init(name: outcome.name, kind: .never) {}
            }
        }
    }

    /// Counts all calls of the world, from 1, in the order of opening.
    let number: Int
    let name: String
    /// Makes the label unique among the calls of this name; 1 where the name alone is unique.
    let nth: Int
    /// The work that has opened it; nil if it belongs to none.
    let owner: WorkItem?
    /// Its place among the calls of its owner, from 1; 0 without an owner.
    let place: Int
    /// The index of the recorded call that it is; nil if it is none.
    let recorded: Int?
    private let outcomes: [Answer]
    /// The indices of the interim values that were reported, sorted: each is reported once.
    private let spent: [Int]
    let giveUp: @Sendable () -> Void

    init(
        number: Int, name: String, nth: Int, owner: WorkItem?, place: Int, recorded: Int? = nil,
        outcomes: [Answer], spent: [Int] = [], giveUp: @escaping @Sendable () -> Void
    ) {
        (self.number, self.name, self.nth) = (number, name, nth)
        (self.owner, self.place, self.recorded) = (owner, place, recorded)
        (self.outcomes, self.spent, self.giveUp) = (outcomes, spent, giveUp)
    }

    /// The name of the call in scripts.
    var label: String { nth == 1 ? name : "\(name) \(nth)" }

    /// The number of outcomes left.
    var count: Int { outcomes.count - spent.count }

    subscript(choice: Int) -> Answer { outcomes[place(of: choice)] }

    /// The name of an outcome in scripts, with a number if another outcome of the call has the same name.
    func outcome(_ choice: Int) -> String { outcomes.map { $0.name() }.madeUnique[place(of: choice)] }

    /// The index of the outcome with this name in scripts, among those that are left; nil if there is none.
    func choice(of outcome: String) -> Int? {
        let names = outcomes.map { $0.name() }.madeUnique
        return (0..<count).first { names[place(of: $0)] == outcome }
    }

    /// The call without an outcome that was delivered and cannot be delivered again.
    func spending(_ choice: Int) -> WorldCall {
        WorldCall(
            number: number, name: name, nth: nth, owner: owner, place: place, recorded: recorded,
            outcomes: outcomes, spent: (spent + [place(of: choice)]).sorted(), giveUp: giveUp)
    }

    /// The number of all outcomes, and the index among them of one that is left.
    var total: Int { outcomes.count }
    func place(of choice: Int) -> Int { spent.reduce(choice) { $1 <= $0 ? $0 + 1 : $0 } }
}

extension [String] {
    /// The strings made unique: a repeated one gets a number.
    var madeUnique: [String] {
        var used: Set<String> = []
        return map { name in
            var (candidate, number) = (name, 1)
            while !used.insert(candidate).inserted {
                number += 1
                candidate = "\(name) \(number)"
            }
            return candidate
        }
    }
}

extension Findings {
    func noteCall(_ name: String, _ outcomes: [WorldCall.Answer]) {
        if isCovered({ $0.knows(name, outcomes.count) }) { return }
        let call = CoverageRecord.Call(name: name, outcomes: outcomes.map { $0.name() }.madeUnique)
        cover { $0.add(call) }
    }

    func noteAnswer(_ name: String, _ choice: Int, of outcomes: Int) {
        cover { $0.answer(name, choice, of: outcomes) }
    }
}
