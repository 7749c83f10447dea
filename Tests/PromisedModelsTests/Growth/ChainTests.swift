import Foundation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// Models that are a thousand levels deep.
@Suite(.tags(.noSharedState)) struct ChainTests {
    struct Link: Model {
        struct State: Equatable, Identifiable {
            var id = 0
            var text = ""
            var next: [State] = []
        }
        let context: ModelContext<Link>
        static let children: [Child<Link>] = [.each(\.next, Link.self)]

        func onActivate() { note("+\(self.id)") }
        func onDeactivate() { note("-\(self.id) \(self.text)") }
    }

    static let depth = 1_000

    private static func chain(_ count: Int) -> Link.State {
        (0..<count).reversed().reduce(Link.State(id: count)) { Link.State(id: $1, next: [$0]) }
    }

    /// The models of a chain, from above.
    private static func links(of store: Store<Link>) -> [Link] {
        var links = [store.model]
        while let next = links[links.count - 1].next(of: \.next) { links.append(next) }
        return links
    }

    private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            isDone.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        isDone.wait()
    }

    @Test("A chain of 1,000 models is created, read, written, reduced and removed on 512 KiB of stack")
    func smallStack() {
        Self.onSmallStack {
            let notes = Notes()
            var store: Store<Link>? = Store<Link>(
                initialState: Self.chain(Self.depth), scheduler: .immediate
            ) { $0.notes = notes }
            #expect(notes.take() == (0...Self.depth).map { "+\($0)" })
            guard let links = store.map(Self.links(of:)) else { return }
            #expect(links.map(\.id) == Array(0...Self.depth))
            for place in [10, 500, Self.depth] { links[place].context.state.text = "\(place)" }
            links[999].transaction {
                links[999].context.state.text = "kept"
                try? links[0].transaction {
                    links[998].context.state.text = "undone"
                    throw Failure()
                }
            }
            #expect([10, 500, 998, 999, 1_000].map { links[$0].text } == ["10", "500", "", "kept", "1000"])
            links[700].setPreference(Unsaved.self, 2)
            #expect(links[0].preference(Unsaved.self) == 2)
            links[1].context.state.next = []
            #expect(notes.take().count == Self.depth - 1)
            #expect(links[1_000].text == "1000" && links[999].text == "kept" && links[500].id == 500)
            store = nil
        }
    }

    @Test("Models a thousand levels deep end before those above them, with their last states")
    func order() {
        let fixture = Fixture<Link>(Self.chain(Self.depth))
        let links = Self.links(of: fixture.store)
        links[1_000].context.state.text = "last"
        let ended = fixture.after { $0.context.state.next = [] }
        #expect(ended == (1...Self.depth).reversed().map { $0 == 1_000 ? "-1000 last" : "-\($0) " })
    }

    @Test("A deep state that gets another identity is another model's", arguments: [10, 33, 64, 65, 200])
    func identity(depth: Int) {
        let fixture = Fixture<Link>(Self.chain(300))
        let links = Self.links(of: fixture.store)
        let heard = fixture.after { _ in links[depth].context.state.id = -1 }
        #expect(heard.first == "-300 " && heard.count == 2 * (301 - depth))
        #expect(Self.links(of: fixture.store)[depth].id == -1)
        #expect(!links[depth].context.isActive && links[depth - 1].context.isActive)
    }

    @Test(
        "A deep write that gives a model above another identity replaces that, however deep both are",
        arguments: [0...100, 1...1, 40...40, 70...70, 99...99])
    func identityAbove(_ seeing: ClosedRange<Int>) {
        struct Part: Model {
            struct State: Equatable, Identifiable {
                /// Whether the identity is that of the whole chain below, so that a write below changes it.
                var isSeeing = true
                var text = ""
                var next: [State] = []
                var id: String { isSeeing ? allText : "part" }
                var allText: String { text + (next.first?.allText ?? "") }
            }
            let context: ModelContext<Part>
            static let children: [Child<Part>] = [.each(\.next, Part.self)]
        }
        let state = (0..<100).reversed().reduce(Part.State(isSeeing: seeing.contains(100))) { below, depth in
            Part.State(isSeeing: seeing.contains(depth), next: [below])
        }
        let fixture = Fixture<Part>(state)
        var deepest = fixture.model
        while let next = deepest.next(of: \.next) { deepest = next }
        fixture.after { _ in deepest.context.state.text = "x" }
        #expect(fixture.store.state.allText == "x")
        #expect(!deepest.context.isActive)
    }
}

extension Model {
    fileprivate func next(of path: any WritableKeyPath<State, [State]> & Sendable) -> Self?
    where State: Identifiable {
        let models: ArrayModels<Self> = children(path)
        return models.first
    }
}
