import TestSupport

/// Random promises, equal for equal seeds.
///
/// Operators that start their promise at once (`done`, `catch`, `finally`, `onInterim`) are excluded: they
/// observe, which the laws do themselves.
struct RandomExpressions {
    private var random: SeededGenerator
    /// The name last assigned to a body or a function.
    private(set) var names = 0
    private let longest: Int

    /// - Parameter longest: The longest duration of a step. If short, many steps are due at the same instant;
    ///   if very long, only the steps at the start are.
    init(seed: UInt64, longest: Int = 4) {
        random = SeededGenerator(seed: seed)
        self.longest = longest
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

    mutating func time() -> Int { number(1...longest) }

    mutating func name() -> Int {
        names += 1
        return names
    }

    mutating func errorName() -> String { "e\(name())" }

    mutating func function() -> Function {
        let kind: Function.Kind =
            switch number(0...4) {
            case 0: .throwIfOdd(errorName())
            case 1: .square
            default: .add(number(1...9))
            }
        return Function(name: name(), kind: kind)
    }

    mutating func continuation(_ depth: Int = 2) -> Continuation {
        let kind: Continuation.Kind =
            chance(10) ? .throw(errorName()) : .promise(expression(depth, hasArgument: true))
        return Continuation(name: name(), kind: kind)
    }

    mutating func work() -> Work {
        let after = chance(60) ? time() : nil
        let end: Work.End =
            switch number(0...19) {
            case 0...9: .fulfill(number(0...99))
            case 10...13: .reject(errorName())
            case 14...15: after == nil ? .throw(errorName()) : .reject(errorName())
            case 16...17: .abandon
            default: .never
            }
        let reports = (0..<(chance(50) ? number(1...2) : 0)).map { _ in
            (after: chance(60) ? number(0...longest) : nil, value: number(100...199))
        }
        // A report that is still due retains the resolver, which would delay the abandonment.
        let kept = reports.filter { report in
            if case .abandon = end { (report.after ?? -1) <= (after ?? -1) } else { true }
        }
        return Work(name: name(), reports: kept, end: end, after: after)
    }

    mutating func leaf(hasArgument: Bool = false) -> Expression {
        switch number(0...9) {
        case 0...1: hasArgument ? .argument : .value(number(0...99))
        case 2: .error(errorName())
        case 3...4: .pending(work())
        default: .body(work())
        }
    }

    /// A random promise.
    ///
    /// - Parameter depth: The largest number of operators between it and its sources.
    mutating func expression(_ depth: Int = 3, hasArgument: Bool = false) -> Expression {
        guard depth > 0, !chance(15) else { return leaf(hasArgument: hasArgument) }
        func part() -> Expression { expression(depth - 1, hasArgument: hasArgument) }
        switch number(0...19) {
        case 0...2: return .map(part(), function())
        case 3...6: return .flatMap(part(), continuation(depth - 1))
        case 7: return .mapError(part(), errorName())
        case 8: return .mapErrorRecover(part(), number(0...99))
        case 9...10: return .recover(part(), continuation(depth - 1))
        case 11: return .ensure(part(), name: name())
        case 12: return .delay(part(), time())
        case 13: return .timeout(part(), 2 * time())
        case 14: return .receive(part())
        case 15...16: return .zip(part(), part())
        case 17: return .parallel((0..<number(0...3)).map { _ in part() })
        case 18: return .twice(part())
        default: return .interim(part(), number(100...199))
        }
    }
}
