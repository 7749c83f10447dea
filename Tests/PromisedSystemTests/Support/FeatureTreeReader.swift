import PromisedSystem
import TestSupport

/// A subscriber of a random part of a house, at any level, and the values that it should receive.
struct FeatureTreeReader: Sendable {
    typealias House = FeatureTree.House
    typealias Flat = FeatureTree.Flat

    /// A value that a subscriber receives.
    enum Part: Sendable, Equatable {
        case house(House)
        case flat(Flat?)
        case leaf(Leaf?)
    }

    let number: Int
    let forms: [Form]
    /// Whether a part of a part is reached step by step, and not by one scope.
    let isNested: Bool

    init(_ number: Int, of house: House, _ random: inout SeededGenerator) {
        self.number = number
        isNested = .random(using: &random)
        let (depth, first) = (Int.random(in: 0...2, using: &random), house.form(&random))
        let second = (house.part(first) ?? house.plain).form(&random)
        forms = Array([first, second].prefix(depth))
    }

    /// The part, read without a scope.
    func part(of house: House) -> Part {
        switch forms.count {
        case 0: .house(house)
        case 1: .flat(house.part(forms[0]))
        default: .leaf(house.part(forms[0])?.part(forms[1]))
        }
    }

    func subscribe(
        to system: System<House, House.Event>, _ body: @escaping @Sendable (Part) -> Void
    ) -> SubscriptionToken {
        if forms.isEmpty {
            return system.scoped(by: Scope<House, House.Event, House, House.Event>.identity())
                .settled.subscribe { body(.house($0)) }
        }
        let outer = House.way(forms[0])
        if forms.count == 1 { return outer.read(system) { body(.flat($0)) } }
        let inner = Flat.way(forms[1])
        return isNested
            ? outer.read(system, then: inner) { body(.leaf($0)) }
            : outer.appending(inner).read(system) { body(.leaf($0)) }
    }
}

extension RandomScope {
    /// Subscribes to a part of the part of a system, step by step.
    fileprivate func read<Inner: Level>(
        _ system: System<Whole, Whole.Event>, then inner: RandomScope<Part, Inner>,
        _ body: @escaping @Sendable (Inner?) -> Void
    ) -> SubscriptionToken {
        switch (self, inner) {
        case (.there(let outer), .there(let inner)):
            return system.scoped(by: outer).scoped(by: inner).settled.subscribe { body($0) }
        case (.there(let outer), .perhaps(let inner)):
            return system.scoped(by: outer).scoped(by: inner).settled.subscribe { body($0) }
        case (.perhaps(let outer), .there(let inner)):
            return system.scoped(by: outer).scoped(by: inner.optional).settled.subscribe { body($0) }
        case (.perhaps(let outer), .perhaps(let inner)):
            return system.scoped(by: outer).scoped(by: inner.flatOptional()).settled.subscribe {
                body($0)
            }
        }
    }
}
