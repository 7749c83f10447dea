import Promise
import PromisedTesting

/// A promise as a tree, which can be built any number of times and printed in readable form.
indirect enum Expression: Sendable {
    case value(Int)
    case error(String)
    /// The argument of the enclosing function.
    case argument
    /// `Promise { resolver in … }`
    case body(Work)
    /// `.pending()`, settled from outside
    case pending(Work)
    case interim(Expression, Int)
    case map(Expression, Function)
    case flatMap(Expression, Continuation)
    case mapError(Expression, String)
    case mapErrorRecover(Expression, Int)
    case recover(Expression, Continuation)
    case ensure(Expression, name: Int)
    case delay(Expression, Int)
    case timeout(Expression, Int)
    case receive(Expression)
    case zip(Expression, Expression)
    case parallel([Expression])
    /// A promise zipped with itself: it has two observers.
    case twice(Expression)
}

/// The steps of a body, in nanoseconds from its beginning; `nil` for a step before it returns.
struct Work: Sendable {
    enum End: Sendable { case fulfill(Int), reject(String), `throw`(String), abandon, never }

    let name: Int
    let reports: [(after: Int?, value: Int)]
    let end: End
    let after: Int?
}

/// A function between values.
struct Function: Sendable {
    enum Kind: Sendable { case add(Int), square, throwIfOdd(String) }

    let name: Int
    let kind: Kind
}

/// A function from values to promises.
struct Continuation: Sendable {
    enum Kind: Sendable { case promise(Expression), `throw`(String) }

    let name: Int
    let kind: Kind
}

// MARK: - Building

extension Expression {
    func promise(on fixture: ExpressionFixture, _ argument: Int = 0) -> Promise<Int> {
        func build(_ part: Expression) -> Promise<Int> { part.promise(on: fixture, argument) }
        switch self {
        case .value(let value): return .value(value)
        case .error(let name): return Promise(error: Boom(name))
        case .argument: return .value(argument)
        case .body(let work): return Promise { try work.run($0, on: fixture) }
        case .pending(let work):
            let (promise, resolver) = Promise<Int>.pending()
            fixture.note { $0.outside.insert(work.name) }
            do { try work.run(resolver, on: fixture) } catch { resolver.reject(error) }
            return promise
        case .interim(let part, let value): return build(part).interim(value)
        case .map(let part, let function): return build(part).map { try function($0, on: fixture) }
        case .flatMap(let part, let next): return build(part).flatMap { try next($0, on: fixture) }
        case .mapError(let part, let name): return build(part).mapError { _ in Boom(name) }
        case .mapErrorRecover(let part, let value): return build(part).mapErrorRecover { _ in value }
        case .recover(let part, let next):
            return build(part).recover { try next("\($0)".utf8.count, on: fixture) }
        case .ensure(let part, let name):
            return build(part).ensure { fixture.note { $0.calls[name, default: 0] += 1 } }
        case .delay(let part, let time): return build(part).delay(.nanoseconds(time))
        case .timeout(let part, let time): return build(part).timeout(.nanoseconds(time))
        case .receive(let part): return build(part).receive(on: fixture.scheduler)
        case .zip(let left, let right):
            return Promise<(Int, Int)>.zip(build(left), build(right)).map { $0 &- $1 }
        case .parallel(let parts): return Promise<Int>.parallel(parts.map(build)).map { $0.reduce(0, &-) }
        case .twice(let part):
            let shared = build(part)
            return Promise<(Int, Int)>.zip(shared, shared).map { $0 &+ $1 }
        }
    }
}

extension Work {
    func run(_ resolver: Resolver<Int>, on fixture: ExpressionFixture) throws {
        fixture.note { [now = fixture.now] in $0.begun[name, default: []].append(now) }
        resolver.onCancel { [weak fixture] in fixture?.note { $0.cancelled[name, default: 0] += 1 } }
        for report in reports {
            guard let after = report.after else {
                resolver.report(report.value)
                continue
            }
            fixture.at(after) { resolver.report(report.value) }
        }
        guard let after else { return try finish(resolver, on: fixture) }
        fixture.at(after) { [unowned fixture] in try? finish(resolver, on: fixture) }
    }

    private func finish(_ resolver: Resolver<Int>, on fixture: ExpressionFixture) throws {
        switch end {
        case .fulfill(let value):
            if resolver.fulfill(value) { fixture.note { $0.ended.insert(name) } }
        case .reject(let error):
            if resolver.reject(Boom(error)) { fixture.note { $0.ended.insert(name) } }
        case .throw(let error):
            fixture.note { $0.ended.insert(name) }
            throw Boom(error)
        case .abandon: if !resolver.isSettled { fixture.note { $0.ended.insert(name) } }
        case .never: fixture.keep(resolver)
        }
    }
}

extension Function {
    func callAsFunction(_ value: Int, on fixture: ExpressionFixture) throws -> Int {
        fixture.note { $0.mapped[name, default: 0] += 1 }
        switch kind {
        case .add(let number): return value &+ number
        case .square: return value &* value
        case .throwIfOdd(let error):
            guard value.isMultiple(of: 2) else { throw Boom(error) }
            return value
        }
    }
}

extension Continuation {
    func callAsFunction(_ value: Int, on fixture: ExpressionFixture) throws -> Promise<Int> {
        fixture.note { $0.calls[name, default: 0] += 1 }
        switch kind {
        case .promise(let expression): return expression.promise(on: fixture, value)
        case .throw(let error): throw Boom(error)
        }
    }
}

// MARK: - Reading

extension Expression: CustomStringConvertible {
    var description: String {
        switch self {
        case .value(let value): "value(\(value))"
        case .error(let name): "error(\(name))"
        case .argument: "value(x)"
        case .body(let work): "body\(work)"
        case .pending(let work): "pending\(work)"
        case .interim(let part, let value): "\(part).interim(\(value))"
        case .map(let part, let function): "\(part).map(\(function))"
        case .flatMap(let part, let next): "\(part).flatMap(\(next))"
        case .mapError(let part, let name): "\(part).mapError(\(name))"
        case .mapErrorRecover(let part, let value): "\(part).mapErrorRecover(\(value))"
        case .recover(let part, let next): "\(part).recover(\(next))"
        case .ensure(let part, let name): "\(part).ensure(#\(name))"
        case .delay(let part, let time): "\(part).delay(\(time))"
        case .timeout(let part, let time): "\(part).timeout(\(time))"
        case .receive(let part): "\(part).receive"
        case .zip(let left, let right): "zip(\(left), \(right))"
        case .parallel(let parts): "parallel(\(parts.map(\.description).joined(separator: ", ")))"
        case .twice(let part): "twice(\(part))"
        }
    }
}

extension Work: CustomStringConvertible {
    var description: String {
        let steps = reports.map { report in "\(report.after.map { "\($0)" } ?? "now") ~\(report.value)" }
        let last = "\(after.map { "\($0)" } ?? "now") \(end)"
        return "(#\(name): \((steps + [last]).joined(separator: ", ")))"
    }
}

extension Function: CustomStringConvertible {
    var description: String { "#\(name) \(kind)" }
}

extension Continuation: CustomStringConvertible {
    var description: String {
        switch kind {
        case .promise(let expression): "#\(name) { x in \(expression) }"
        case .throw(let error): "#\(name) { x in throw \(error) }"
        }
    }
}
