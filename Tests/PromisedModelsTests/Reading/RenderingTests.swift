import PromisedModels
import TestSupport
import Testing

/// Views that are no SwiftUI views: a `Renderer` of a model's source.
@Suite(.tags(.sharedState)) @MainActor struct RenderingTests {
    @Test("OS-16: a renderer of a model is rendered on the main actor, whatever thread writes")
    func anyThread() async {
        let counter = Counter(initialState: .init())
        let label = Label(counter)
        label.render()
        await Task.detached { counter.increment() }.value
        var iterator = label.texts.makeAsyncIterator()
        #expect(await iterator.next() == "0")
        // Traps if it is called off the main actor.
        #expect(await iterator.next() == "1")
    }

    @Test("OS-20: a renderer is rendered inside of the context of the write, and only for what it reads")
    func context() {
        let counter = Counter(initialState: .init())
        let notes = Notes()
        let animation = NotificationContext { notify in
            notes.add("begin")
            notify()
            notes.add("end")
        }
        let label = Label(counter, notes)
        label.render()
        animation { counter.increment() }
        counter.state.other = 1
        counter.increment()
        #expect(notes.value == ["0", "begin", "1", "end", "2"])
    }
}

private final class Label: Renderer {
    @Source var model: Int
    private let notes: Notes
    let texts: AsyncStream<String>
    private let rendering: AsyncStream<String>.Continuation
    /// Keeps the store.
    private let counter: Counter

    init(_ counter: Counter, _ notes: Notes = Notes()) {
        (self.counter, self.notes) = (counter, notes)
        _model = counter.source(of: \.count)
        (texts, rendering) = AsyncStream.makeStream()
    }

    func render() {
        notes.add("\(model)")
        rendering.yield("\(model)")
    }
}
