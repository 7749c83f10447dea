internal import Promise
internal import PromisedTesting

extension PromiseLaws {
    /// A law that states that two promises are equal.
    private func law(
        _ name: String, _ statement: String,
        _ sides:
            @escaping @Sendable (inout PromiseCase<Subject, Value, Outcome>) -> (
                KeyValuePairs<String, any Sendable>, Subject, Subject
            )
    ) -> Law {
        Law(name, statement) { random in
            var values = PromiseCase(self, &random)
            let (inputs, left, right) = sides(&values)
            values.end(&random)
            return .unless(outcome(left), outcome(right), inputs)
        }
    }

    var mapLaws: [Law] {
        guard let map else { return [] }
        return [
            law("map identity", "p.map { $0 } is p") { random in
                let p = random.promise()
                return (["p": p], map(p.make()) { $0 }, p.make())
            },
            law("map composition", "p.map(f).map(g) is p.map { g(f($0)) }") { random in
                let (p, f, g) = (random.promise(), random.function(), random.function())
                return (
                    ["p": p, "f": f, "g": g], map(map(p.make()) { f($0) }) { g($0) },
                    map(p.make()) { g(f($0)) }
                )
            },
            law("map by flatMap", "p.map(f) is p.flatMap { pure(f($0)) }") { random in
                let (p, f) = (random.promise(), random.function())
                return (["p": p, "f": f], map(p.make()) { f($0) }, flatMap(p.make()) { pure(f($0)) })
            },
        ]
    }

    var flatMapLaws: [Law] {
        [
            law("left identity", "pure(x).flatMap(f) is f(x)") { random in
                let (x, f) = (random.value(), random.continuation())
                return (["x": x, "f": f], flatMap(pure(x)) { f($0).make() }, f(x).make())
            },
            law("right identity", "p.flatMap { pure($0) } is p") { random in
                let p = random.promise()
                return (["p": p], flatMap(p.make()) { pure($0) }, p.make())
            },
            law("associativity", "p.flatMap(f).flatMap(g) is p.flatMap { f($0).flatMap(g) }") { random in
                let (p, f, g) = (random.promise(), random.continuation(), random.continuation())
                return (
                    ["p": p, "f": f, "g": g], flatMap(flatMap(p.make()) { f($0).make() }) { g($0).make() },
                    flatMap(p.make()) { flatMap(f($0).make()) { g($0).make() } }
                )
            },
        ]
    }

    var errorLaws: [Law] {
        guard let fail else { return [] }
        let through = law("error through flatMap", "fail(e).flatMap(f) is fail(e)") { random in
            let (e, f) = (random.error(), random.continuation())
            return (["e": e, "f": f], flatMap(fail(e)) { f($0).make() }, fail(e))
        }
        guard let map else { return [through] }
        return [
            law("error through map", "fail(e).map(f) is fail(e)") { random in
                let (e, f) = (random.error(), random.function())
                return (["e": e, "f": f], map(fail(e)) { f($0) }, fail(e))
            }, through,
        ]
    }

    var recoverLaws: [Law] {
        guard let fail, let recover else { return [] }
        typealias Function = LawFunction<LawError, Recipe<Subject>>
        @Sendable func by(_ function: Function) -> Recovery {
            { function($0 as? LawError ?? LawError(0)).make() }
        }
        return [
            law("value through recover", "pure(x).recover(f) is pure(x)") { random in
                let (x, f) = (random.value(), random.recovery())
                return (["x": x, "f": f], recover(pure(x), by(f)), pure(x))
            },
            law("recover left identity", "fail(e).recover(f) is f(e)") { random in
                let (e, f) = (random.error(), random.recovery())
                return (["e": e, "f": f], recover(fail(e), by(f)), f(e).make())
            },
            law("recover right identity", "p.recover { fail($0) } is p") { random in
                let p = random.promise()
                return (["p": p], recover(p.make()) { fail($0) }, p.make())
            },
            law("recover associativity", "p.recover(f).recover(g) is p.recover { f($0).recover(g) }") {
                random in
                let (p, f, g) = (random.promise(), random.recovery(), random.recovery())
                return (
                    ["p": p, "f": f, "g": g], recover(recover(p.make(), by(f)), by(g)),
                    recover(p.make()) { recover(by(f)($0), by(g)) }
                )
            },
        ]
    }

    var workLaws: [Law] {
        guard let work else { return [] }
        /// Passes a promise of counted work to `body`; returns how often the work has run.
        @Sendable func runs(_ value: Value, _ body: (Subject) -> Void) -> Int {
            let count = Lock(0)
            let promise = work {
                count.withLock { $0 += 1 }
                return value
            }
            body(promise)
            return count.withLock { $0 }
        }
        return [
            Law("laziness", "creating and chaining a promise of work does not run it") { random in
                var values = PromiseCase(self, &random)
                let (x, f, g) = (values.value(), values.function(), values.continuation())
                values.end(&random)
                let count = runs(x) { promise in
                    let mapped = map?(promise) { f($0) } ?? promise
                    let next = flatMap(mapped) { g($0).make() }
                    _ = recover?(next) { _ in pure(x) }
                }
                return count == 0 ? nil : .init(["x": x, "f": f, "g": g], ["runs": count])
            },
            Law("once", "the work of a promise that is observed twice runs once") { random in
                var values = PromiseCase(self, &random)
                let x = values.value()
                values.end(&random)
                let count = runs(x) { promise in
                    _ = outcome(promise)
                    _ = outcome(flatMap(promise) { pure($0) })
                }
                return count == 1 ? nil : .init(["x": x], ["runs": count])
            },
        ]
    }
}
