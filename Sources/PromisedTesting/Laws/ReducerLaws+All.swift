import PromisedSystem

extension ReducerLaws {
    /// The laws, by name: "determinism", "laziness", "left identity", "right identity" and "associativity". Laws of
    /// functions that were omitted are missing; without reducers there are none.
    public var all: [Law] {
        guard !reducers.isEmpty else { return [] }
        let kept: [Law?] = [determinism, laziness] + combining
        return kept.compactMap { $0 }
    }

    private func choose(_ random: inout LawRandom) -> Named {
        reducers[Int.random(in: 0..<reducers.count, using: &random)]
    }

    private var determinism: Law {
        Law("determinism", "a(s, e) is the same each time, whatever was reduced in between") { random in
            let (a, s, e) = (choose(&random), states(&random), events(&random))
            let (b, t, d) = (choose(&random), states(&random), events(&random))
            let first = reduce(a.make(), s, e)
            _ = reduce(b.make(), t, d)()
            let second = reduce(a.make(), s, e)
            return .unless(
                first(), second(), ["a": a, "s": s, "e": e, "in between": "\(b)(\(t), \(d))"])
        }
    }

    private var laziness: Law? {
        effects.map { effects in
            Law("laziness", "invoking a reducer has no side effects") { random in
                let (a, s, e) = (choose(&random), states(&random), events(&random))
                let before = effects()
                _ = reduce(a.make(), s, e)
                let count = effects() - before
                return count == 0 ? nil : .init(["a": a, "s": s, "e": e], ["effects": count])
            }
        }
    }

    private var combining: [Law?] {
        guard let combine else { return [] }
        let associativity = Law("associativity", "(a <> b) <> c is a <> (b <> c)") { random in
            let (a, b, c) = (choose(&random), choose(&random), choose(&random))
            let (s, e) = (states(&random), events(&random))
            return .unless(
                reduce(combine(combine(a.make(), b.make()), c.make()), s, e)(),
                reduce(combine(a.make(), combine(b.make(), c.make())), s, e)(),
                ["a": a, "b": b, "c": c, "s": s, "e": e])
        }
        guard let identity else { return [associativity] }
        func alone(_ name: String, _ statement: String, _ whole: @escaping @Sendable (Subject) -> Subject)
            -> Law
        {
            Law(name, statement) { random in
                let (a, s, e) = (choose(&random), states(&random), events(&random))
                return .unless(
                    reduce(whole(a.make()), s, e)(), reduce(a.make(), s, e)(), ["a": a, "s": s, "e": e])
            }
        }
        return [
            alone("left identity", "identity <> a is a") { combine(identity(), $0) },
            alone("right identity", "a <> identity is a") { combine($0, identity()) }, associativity,
        ]
    }
}
