import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Which models a written state has.
struct ChildTests {
    @Test(
        "The first of two elements with one identity has the model, also if it is in front of one that was there"
    )
    func duplicateInFront() {
        struct Echo: Model {
            struct State: Equatable, Identifiable {
                let id: Int
                var text = ""
            }
            let context: ModelContext<Echo>
        }
        Reports.begin()
        let fixture = Fixture<[Echo]>([.init(id: 1), .init(id: 2, text: "old")])
        let two = fixture.model[1]
        fixture.store.replace([.init(id: 2, text: "new"), .init(id: 1), .init(id: 2, text: "old")])
        fixture.scheduler.advance()
        #expect(fixture.model.map(\.id) == [2, 1])
        #expect(two.context.isActive)
        #expect(two.text == "new")
        #expect(Reports.about("Two states of Echo").count == 1)
    }

    @Test("Two elements with one identity among many have one model, which is reported")
    func duplicateAmongMany() {
        struct Crowd: Model {
            struct State: Equatable, Identifiable { let id: Int }
            let context: ModelContext<Crowd>
        }
        Reports.begin()
        let fixture = Fixture<[Crowd]>((0..<12).map { Crowd.State(id: $0 % 11) })
        #expect(fixture.model.map(\.id) == Array(0..<11))
        #expect(Reports.about("Two states of Crowd").count == 1)
    }

    @Test("OS-08, OS-09: a write far above begins and ends what is below children that are always there")
    func belowFixed() {
        struct Inner: Model {
            struct State: Equatable { var sheet: Counter.State? }
            let context: ModelContext<Inner>
            static let children: [Child<Inner>] = [.optional(\.sheet, Counter.self)]
        }
        struct Middle: Model {
            struct State: Equatable { var inner = Inner.State() }
            let context: ModelContext<Middle>
            static let children: [Child<Middle>] = [.one(\.inner, Inner.self)]
        }
        struct Outer: Model {
            struct State: Equatable { var middle = Middle.State() }
            let context: ModelContext<Outer>
            static let children: [Child<Outer>] = [.one(\.middle, Middle.self)]
        }
        let fixture = Fixture<Outer>(.init())
        #expect(fixture.after { $0.context.state.middle.inner.sheet = .init() } == ["+counter"])
        #expect(fixture.after { $0.context.state.middle = .init() } == ["-counter"])
    }

    @Test("A model below an element that its container has lost is read as it was first")
    func belowLost() {
        struct Bud: Model {
            struct State: Equatable { var count = 0 }
            let context: ModelContext<Bud>
        }
        struct Twig: Model {
            struct State: Equatable, Identifiable { var id: Int, title: String, bud = Bud.State() }
            let context: ModelContext<Twig>
            static let children: [Child<Twig>] = [.one(\.bud, Bud.self)]
            var bud: Bud { child(\.bud) }
        }
        /// Loses the twigs without a title.
        struct Titled: StateContainer, Equatable {
            var twigs: [Twig.State]
            var elementIDs: [Int] { twigs.map(\.id) }
            subscript(elementID id: Int) -> Twig.State? {
                get { twigs.first { $0.id == id && !$0.title.isEmpty } }
                set {
                    guard let newValue, let place = twigs.firstIndex(where: { $0.id == id }) else { return }
                    twigs[place] = newValue
                }
            }
        }
        struct Hedge: Model {
            struct State: Equatable { var titled: Titled }
            let context: ModelContext<Hedge>
            static let children: [Child<Hedge>] = [.each(\.titled, Twig.self)]
            var twigs: [Twig] { children(\.titled) }
        }
        Reports.begin()
        let fixture = Fixture<Hedge>(.init(titled: .init(twigs: [.init(id: 1, title: "a")])))
        let lost = fixture.model.twigs[0]
        lost.bud.context.state.count = 8
        #expect(lost.bud.count == 8)
        lost.context.state.title = ""
        #expect(lost.bud.count == 0)
        #expect(lost.title == "a")
        fixture.scheduler.advance()
        #expect(Reports.about("A container of states of Bud").count == 1)
    }

    @Test("OS-60: two cases with models of one type have each their own")
    func casesOfOneType() {
        enum Side: Equatable {
            case left(Counter.State), right(Counter.State)

            static let left = CasePath<Side, Counter.State>(embed: Side.left) {
                if case .left(let counter) = $0 { counter } else { nil }
            }
            static let right = CasePath<Side, Counter.State>(embed: Side.right) {
                if case .right(let counter) = $0 { counter } else { nil }
            }
        }
        struct Scale: Model {
            struct State: Equatable { var side = Side.left(.init()) }
            let context: ModelContext<Scale>
            static let children: [Child<Scale>] = [
                .case(\.side, Side.left, Counter.self), .case(\.side, Side.right, Counter.self),
            ]
            var left: Counter? { child(\.side, case: Side.left) }
            var right: Counter? { child(\.side, case: Side.right) }
        }
        let fixture = Fixture<Scale>(.init())
        #expect(fixture.model.left != nil)
        #expect(fixture.model.right == nil)
        #expect(
            fixture.after { $0.context.state.side = .right(.init(count: 3)) } == ["-counter", "+counter"])
        #expect(fixture.model.left == nil)
        #expect(fixture.model.right?.count == 3)
    }

    @Test("The children of a part that is always there, which are not listed, follow a replacement of all")
    func lateChildrenBelow() {
        struct Tray: Model {
            struct State: Equatable { var items: [Item.State] = [] }
            let context: ModelContext<Tray>
            var items: [Item] { children(\.items) }
        }
        struct Crate: Model {
            struct State: Equatable, Identifiable {
                var id = 1
                var tray = Tray.State()
            }
            let context: ModelContext<Crate>
            static let children: [Child<Crate>] = [.one(\.tray, Tray.self)]
            var tray: Tray { child(\.tray) }
        }
        let fixture = Fixture<[Crate]>([.init()])
        #expect(fixture.model[0].tray.items.isEmpty)
        let heard = fixture.after { _ in
            fixture.store.replace([.init(tray: .init(items: [.init(id: 7)]))])
        }
        #expect(heard == ["+item 7"])
        #expect(fixture.model[0].tray.items.map(\.id) == [7])
    }
}
