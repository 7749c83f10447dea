import PromisedSystem
import TestSupport
import Testing

/// Laws of every scope, however it was made and composed.
@Suite(.tags(.noSharedState)) struct ScopeLawTests {
    typealias Flat = Storey<Leaf>
    typealias House = Storey<Flat>
    typealias Street = Storey<House>

    /// A scope of three steps into a random whole, mostly to an existing part.
    struct Path: Sendable {
        let forms: [Form]
        let outer: RandomScope<Street, House>
        let middle: RandomScope<House, Flat>
        let inner: RandomScope<Flat, Leaf>

        init(_ street: Street, _ random: inout SeededGenerator) {
            let first = street.form(&random)
            let house = street.part(first) ?? street.plain
            let second = house.form(&random)
            let flat = house.part(second) ?? house.plain
            let third = flat.form(&random)
            forms = [first, second, third]
            func declined<Whole, Part: Level>(_ way: RandomScope<Whole, Part>, _ part: Part) -> RandomScope<
                Whole, Part
            > {
                Int.random(in: 0..<4, using: &random) == 0 ? way.declining(part.event(&random)) : way
            }
            outer = declined(Street.way(first), house)
            middle = declined(House.way(second), flat)
            inner = declined(Flat.way(third), flat.part(third) ?? flat.plain)
        }

        var whole: RandomScope<Street, Leaf> { outer.appending(middle).appending(inner) }

        /// An event for the surroundings of the part.
        func foreign(_ street: Street, _ random: inout SeededGenerator) -> Street.Event? {
            outer.embed((outer.get(street) ?? street.plain).event(&random))
        }

        /// The part, read without a scope.
        func leaf(_ street: Street) -> Leaf? { street.part(forms[0])?.part(forms[1])?.part(forms[2]) }

        /// The whole with another part, set without a scope.
        func with(_ leaf: Leaf, _ street: Street) -> Street {
            guard var house = street.part(forms[0]), var flat = house.part(forms[1]) else { return street }
            var street = street
            flat.set(forms[2], leaf)
            house.set(forms[1], flat)
            street.set(forms[0], house)
            return street
        }
    }

    /// Calls `body` with each random path.
    private func cases(_ body: (Path, Street, inout SeededGenerator, () -> Comment) -> Void) {
        let seed = firstSeed()
        for number in 0..<UInt64(rounds(50, stress: 1000)) {
            var random = SeededGenerator(seed: seed &+ number)
            let street = Street(&random)
            let path = Path(street, &random)
            body(path, street, &random) { "seed \(seed), case \(number): \(path.forms)" }
        }
    }

    // MARK: Composition

    /// Whether two scopes read, change, extract and embed the same.
    private func agree<Whole: Level, Part: Level>(
        _ left: RandomScope<Whole, Part>, _ right: RandomScope<Whole, Part>, on whole: Whole, _ part: Part,
        _ random: inout SeededGenerator
    ) -> Bool {
        for wholly in [whole, Whole(&random)] {
            let changes: [(inout Part?) -> Void] = [
                { $0 = part }, { $0 = nil }, { if $0 != nil { $0 = part } }, { _ in },
            ]
            guard left.get(wholly) == right.get(wholly) else { return false }
            for change in changes {
                var (one, other) = (wholly, wholly)
                left.modify(&one, change)
                right.modify(&other, change)
                guard one == other else { return false }
            }
        }
        for _ in 0..<4 {
            let local = part.event(&random)
            let event = whole.event(&random)
            guard left.embed(local) == right.embed(local), left.extract(event) == right.extract(event) else {
                return false
            }
            if let event = left.embed(local), left.extract(event) != right.extract(event) { return false }
        }
        return true
    }

    @Test("SR-44: grouping makes no difference to a scope: random scopes of three steps")
    func associative() {
        cases { path, street, random, comment in
            let part = path.leaf(street) ?? Leaf(&random)
            let left = path.outer.appending(path.middle).appending(path.inner)
            let right = path.outer.appending(path.middle.appending(path.inner))
            #expect(agree(left, right, on: street, part, &random), comment())
        }
    }

    @Test("SR-44: identity on either side of a scope is a no-op: random scopes") func identity() {
        cases { path, street, random, comment in
            let house = path.outer.get(street) ?? House(&random)
            let before = RandomScope<Street, Street>.there(.identity()).appending(path.outer)
            #expect(agree(before, path.outer, on: street, house, &random), comment())
            let after = path.outer.appendingIdentity
            #expect(agree(after, path.outer, on: street, house, &random), comment())
        }
    }

    // MARK: Reading and setting

    @Test(
        "SR-44: a value that was set through a scope is read through it, and nothing else is set: random scopes"
    )
    func setting() {
        cases { path, street, random, comment in
            let (way, old, new) = (path.whole, path.leaf(street), Leaf(&random, like: path.leaf(street)))
            #expect(way.get(street) == old, comment())
            var changed = street
            way.modify(&changed) { if $0 != nil { $0 = new } }
            let expected = path.with(new, street)
            let isAsExpected = changed == expected
            #expect(isAsExpected, comment())
            #expect(way.get(changed) == (old == nil ? nil : new), comment())
            way.modify(&changed) { if $0 != nil { $0 = old } }
            let isAsBefore = changed == street
            #expect(isAsBefore, comment())
        }
    }

    @Test("SR-44: an event that a scope embeds is the one that it extracts: random scopes")
    func events() {
        cases { path, street, random, comment in
            let (way, leaf) = (path.whole, path.leaf(street) ?? Leaf(&random))
            for _ in 0..<4 {
                let signal = leaf.event(&random)
                if let event = way.embed(signal) { #expect(way.extract(event) == signal, comment()) }
                let event = street.event(&random)
                if let signal = way.extract(event) { #expect(way.embed(signal) == event, comment()) }
            }
        }
    }

    // MARK: Foreign events

    @Test("SR-11: a foreign event sets nothing and notifies no subscriber of a part: random features")
    func foreign() {
        cases { path, street, random, comment in
            // The scope leads through the computed property, so every change of the part calls its setter.
            let start = Storey<Street>(id: 0, plain: street)
            let way = Storey<Street>.way(.mirrored).appending(path.whole)
            let reducers = ["a", "b"].map { RandomFeature($0, among: [$0], &random).reducer }
            let board = Scope<Leaf, Signal, Board, Signal>(state: \.board, event: .identity())
            let part = Feature(reducer: (reducers[0] <> reducers[1]).lifted(by: board))
            let events = (0..<6).compactMap { number in
                number < 3 ? street.event(&random) : path.foreign(street, &random)
            }.map { StoreyEvent<Street>.inner(.mirrored, $0) }
            let sets = SharedCount()
            Setters.$count.withValue(sets) {
                let system = System(initialState: start, scheduler: .immediate, feature: way.lift(part))
                let told = SharedCount()
                let token = way.read(system, replayCurrent: false) { _ in told.add(1) }
                for event in events where way.extract(event) == nil { system.sendEvent(event) }
                #expect((sets.value, told.value) == (0, 0), comment())
                #expect(system.state == start, comment())
                token.cancel()
            }
        }
    }
}

extension Leaf {
    /// A random leaf with the identity of an existing one.
    fileprivate init(_ random: inout SeededGenerator, like other: Leaf?) {
        let leaf = Leaf(&random)
        self.init(id: other?.id ?? leaf.id, mark: leaf.mark, board: leaf.board)
    }
}
