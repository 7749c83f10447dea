import PromisedSystem
import TestSupport
import Testing

// Lifting over whole random sessions: the same states, records, and work at the same instants.
extension ScopeLawTests {
    /// A scope of two steps into a random whole, and a script of events that mostly target its part.
    private struct Case: Sendable {
        let outer: RandomScope<House, Flat>
        let inner: RandomScope<Flat, Leaf>
        let script: RandomScript<House>
        let features: [RandomFeature]

        var whole: RandomScope<House, Leaf> { outer.appending(inner) }

        init(_ random: inout SeededGenerator, inner family: Form.Family? = nil) {
            let house = House(&random)
            let first = house.form(&random)
            let flat = house.part(first) ?? house.plain
            let forms = flat.forms.filter { family == nil || $0.family == family }
            let second = forms.randomElement(using: &random) ?? flat.form(&random)
            let leaf = flat.part(second) ?? flat.plain
            let (outer, inner) = (House.way(first), Flat.way(second))
            (self.outer, self.inner) = (outer, inner)
            script = RandomScript(&random, from: house, length: 2...5) { random in
                inner.embed(leaf.event(&random)).flatMap { outer.embed($0) }
            }
            let names = ["a", "b"]
            features = names.map { RandomFeature($0, among: names, &random) }
        }

        func run(
            _ feature: (Feature<Leaf, Signal>, Feature<Leaf, Signal>) -> Feature<House, House.Event>
        ) -> Told<House> {
            script.run { trace in feature(features[0].feature(trace), features[1].feature(trace)) }
        }
    }

    private func cases(_ body: (inout SeededGenerator, UInt64, () -> Comment) -> Void) {
        let seed = firstSeed()
        for number in 0..<UInt64(rounds(30, stress: 1000)) {
            var random = SeededGenerator(seed: seed &+ number)
            body(&random, number) { "seed \(seed), case \(number)" }
        }
    }

    @Test(
        "SR-37, SR-11, SR-21: combining then lifting equals lifting then combining, optional too: random sessions"
    )
    func combining() {
        cases { random, number, comment in
            let one = Case(&random)
            let way = one.whole
            let whole = one.run { way.lift($0 <> $1) }
            #expect(whole == one.run { way.lift($0) <> way.lift($1) }, comment())
            switch number % 3 {
            case 0: #expect(whole == one.run { way.liftOptional($0, $1) }, comment())
            case 1:
                let parts = one.run {
                    way.liftParts(
                        $0.reducer <> $1.reducer, .combined($0.feedbacks + $1.feedbacks),
                        $0.middleware <> $1.middleware)
                }
                #expect(whole == parts, comment())
            default:
                let parts = one.run { left, right in
                    let (left, right) = (way.lift(left), way.lift(right))
                    return Feature(
                        reducer: left.reducer <> right.reducer,
                        feedbacks: [.combined(left.feedbacks) <> .combined(right.feedbacks)],
                        middleware: left.middleware <> right.middleware)
                }
                #expect(whole == parts, comment())
            }
        }
    }

    @Test(
        "SR-37, SR-35: combining then lifting by each equals lifting by each then combining: random sessions"
    )
    func combiningByEach() {
        cases { random, _, comment in
            let family = [Form.Family.row, .place, .named].randomElement(using: &random) ?? .row
            let one = Case(&random, inner: family)
            let whole = one.run { one.outer.lift(Flat.lift($0 <> $1, toAll: family)) }
            let inside = one.run {
                one.outer.lift(Flat.lift($0, toAll: family) <> Flat.lift($1, toAll: family))
            }
            #expect(whole == inside, comment())
            let outside = one.run {
                one.outer.lift(Flat.lift($0, toAll: family)) <> one.outer.lift(Flat.lift($1, toAll: family))
            }
            #expect(whole == outside, comment())
        }
    }

    @Test("SR-44: lifting by a composed scope equals lifting twice: random sessions") func twice() {
        cases { random, _, comment in
            let one = Case(&random)
            let composed = one.run { one.whole.lift($0 <> $1) }
            #expect(composed == one.run { one.outer.lift(one.inner.lift($0 <> $1)) }, comment())
        }
    }

    @Test("SR-37: grouping features makes no difference, and identity is a no-op: random triples")
    func monoid() {
        cases { random, number, comment in
            let names = ["a", "b", "c"]
            let recipes = names.map { RandomFeature($0, among: names, &random) }
            let script = RandomScript(&random, from: Leaf(&random), length: 2...4) { _ in nil }
            typealias Part = Feature<Leaf, Signal>
            func told(_ whole: (Part, Part, Part) -> Part) -> Told<Leaf> {
                script.run { trace in
                    let all = recipes.map { $0.feature(trace) }
                    return whole(all[0], all[1], all[2])
                }
            }
            let whole = told { ($0 <> $1) <> $2 }
            #expect(whole == told { $0 <> ($1 <> $2) }, comment())
            if number.isMultiple(of: 4) {
                #expect(whole == told { .combined($0, $1, .identity, $2) }, comment())
            }
            let alone = told { a, _, _ in a }
            #expect(alone == told { a, _, _ in .identity <> a }, comment())
            #expect(alone == told { a, _, _ in a <> .identity }, comment())
        }
    }
}
