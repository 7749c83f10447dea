public import Promise

/// A call that waits for its answer.
@usableFromInline
struct WorldCall: Sendable {
    @usableFromInline
    struct Answer: Sendable {
        @usableFromInline
        enum Kind: Sendable { case result, report, never }

        let name: @Sendable () -> String
        let kind: Kind
        let give: @Sendable () -> Void

        @usableFromInline
        init(name: @escaping @Sendable () -> String, kind: Kind, give: @escaping @Sendable () -> Void) {
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

    /// In the order of their opening.
    let number: Int
    let name: String
    /// Which of this name.
    let nth: Int
    let owner: Int
    /// Which of its owner's.
    let place: Int
    private let outcomes: [Answer]
    /// The places of reports that were made, among the outcomes: each is made once.
    private var spent: [Int] = []
    let giveUp: @Sendable () -> Void

    init(
        number: Int, name: String, nth: Int, owner: Int, place: Int, outcomes: [Answer],
        giveUp: @escaping @Sendable () -> Void
    ) {
        (self.number, self.name, self.nth) = (number, name, nth)
        (self.owner, self.place) = (owner, place)
        (self.outcomes, self.giveUp) = (outcomes, giveUp)
    }

    /// What it goes by in a script.
    var label: String { nth == 1 ? name : "\(name) \(nth)" }

    /// How many answers are left.
    var count: Int { outcomes.count - spent.count }

    subscript(choice: Int) -> Answer { outcomes[place(of: choice)] }

    /// What an answer goes by in a script: its name, with a number if another one of the call has that.
    func outcome(_ choice: Int) -> String { outcomes.map { $0.name() }.toldApart[place(of: choice)] }

    /// The answer that goes by this in a script, among those that are left.
    func choice(of outcome: String) -> Int? {
        let names = outcomes.map { $0.name() }.toldApart
        return (0..<count).first { names[place(of: $0)] == outcome }
    }

    /// An answer was given, and can not be given again.
    mutating func spend(_ choice: Int) { spent = (spent + [place(of: choice)]).sorted() }

    private func place(of choice: Int) -> Int { spent.reduce(choice) { $1 <= $0 ? $0 + 1 : $0 } }
}

extension [String] {
    /// The same, where those that were there before have a number behind them.
    fileprivate var toldApart: [String] {
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
