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
    var answers: [Answer]
    let giveUp: @Sendable () -> Void

    /// What it goes by in a script.
    var label: String { nth == 1 ? name : "\(name) \(nth)" }
}
