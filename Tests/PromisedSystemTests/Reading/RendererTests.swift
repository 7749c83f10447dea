import Observation
import PromisedSystem
import TestSupport
import Testing

/// Views and their model.
@Suite(.tags(.sharedState)) @MainActor struct RendererTests {
    @Test("SA-13: a class renderer is subscribed when it first reads its model, once, weakly, without a call")
    func subscribedOnce() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .serial("renderer")) { .value($0 + $1) }
        var screen: Screen? = Screen(system.settled)
        #expect(system.subscribers == 0)
        #expect(screen?.model == 0)
        #expect(screen?.model == 0)
        #expect(system.subscribers == 1)
        #expect(screen?.rendered == [])
        let rendered = screen?.renderings
        await onThread { system.sendEvent(1) }
        var iterator = rendered?.makeAsyncIterator()
        // Traps if it is called off the main actor.
        #expect(await iterator?.next() == 1)
        #expect(screen?.rendered == [1])
        weak let gone = screen
        screen = nil
        #expect(gone == nil)
        #expect(system.settled.objectCount == 0)
    }

    @Test("SA-13: a struct renderer only reads") func structRenderer() {
        struct Label: Renderer {
            @Source var model: Int
        }
        let numbers = Numbers(4)
        let label = Label(model: numbers.source)
        label.render()
        #expect(label.model == 4)
        #expect(numbers.subscribers == 0)
    }

    @Test("SA-15: a renderer and a reader under observation see the same values of one source")
    func twoKinds() async {
        let system = System<Int, Int>(initialState: 0, scheduler: .main) { .value($0 + $1) }
        let screen = Screen(system.settled)
        let seen = Log<Int>()
        #expect(screen.model == 0)
        observe(system.settled, seen)
        for _ in 1...3 {
            system.sendEvent(1)
            await mainCaughtUp()
        }
        #expect(screen.rendered == [1, 2, 3])
        #expect(seen.entries == [0, 1, 2, 3])
    }

    @Test("SA-13: a renderer that gets another source renders for that one alone")
    func otherSource() {
        let (first, second) = (Numbers(1), Numbers(10))
        let screen = Screen(first.source)
        #expect(screen.model == 1)
        screen.show(second.source)
        #expect(screen.model == 10)
        first.set(2)
        #expect(screen.rendered == [])
        #expect(first.subscribers == 0)
        second.set(20)
        #expect(screen.rendered == [20])
        screen.show(first.source)
        #expect(screen.model == 2)
        first.set(3)
        second.set(30)
        #expect(screen.rendered == [20, 3])
    }

    @Test("SA-13: two properties of one source render once; each can be given another source")
    func twoProperties() {
        final class Pair: Renderer {
            @Source var model: Int
            @Source var other: Int
            private(set) var renderings = 0

            init(_ source: Source<Int>) { (_model, _other) = (source, source) }

            func show(_ source: Source<Int>) { _model = source }
            func render() { renderings += model + other }
        }
        let (first, second) = (Numbers(1), Numbers(10))
        let pair = Pair(first.source)
        #expect(pair.model + pair.other == 2)
        first.set(2)
        #expect(pair.renderings == 4)
        pair.show(second.source)
        first.set(3)
        #expect(pair.renderings == 4 + 13)
        second.set(20)
        #expect(pair.renderings == 4 + 13 + 23)
    }

    private nonisolated func observe(_ source: Source<Int>, _ seen: Log<Int>) {
        seen.add(withObservationTracking({ source.value }) { observe(source, seen) })
    }
}

private final class Screen: Renderer {
    @Source var model: Int
    private(set) var rendered: [Int] = []
    let renderings: AsyncStream<Int>
    private let rendering: AsyncStream<Int>.Continuation

    init(_ source: Source<Int>) {
        _model = source
        (renderings, rendering) = AsyncStream.makeStream()
    }

    func show(_ source: Source<Int>) { _model = source }

    func render() {
        rendered.append(model)
        rendering.yield(model)
    }
}
