import PromisedSystem
import PromisedTesting
import Testing

/// A view as a feedback: it shows the state, and its user's actions become events.
@Suite struct ViewFeedbackTests {
    /// Part of the platform: it outlives the view that subscribes to it.
    private final class Button: Sendable {
        private let actions = Log<@Sendable () -> Void>()

        func onTap(_ action: @escaping @Sendable () -> Void) { actions.add(action) }
        func tap() { for action in actions.entries { action() } }
    }

    private final class Page: Sendable {
        let button: Button
        private let shown: Log<String>

        init(_ button: Button, _ shown: Log<String>) { (self.button, self.shown) = (button, shown) }

        func show(_ board: Board) { shown.add(board.notes.joined(separator: " ")) }

        /// Does not retain the page.
        var feedback: Feedback<Board, Signal> {
            let shows = Feedback<Board, Signal>.lensing(state: { $0 }) { [weak self] board in
                Effect<Signal>.fireAndForget { self?.show(board) }
            }
            let listens = Feedback<Board, Signal>.just(
                effects: Effect { [weak self] effect in
                    self?.button.onTap { if self != nil { effect.send(.note("tap")) } }
                })
            return shows <> listens
        }
    }

    @Test("FS-36: a view is updated and sends events until its owner is released") func weakOwner() {
        let (button, shown) = (Button(), Log<String>())
        var page: Page? = Page(button, shown)
        weak let gone = page
        let bench = EffectBench(page?.feedback ?? .empty)
        button.tap()
        bench.advance(0)
        #expect(shown.take() == ["", "tap"])
        #expect(bench.notes == ["tap"])
        page = nil
        #expect(gone == nil)
        button.tap()
        bench.send(.note("from elsewhere"))
        #expect(shown.entries.isEmpty)
        #expect(bench.notes == ["tap", "from elsewhere"])
        #expect(bench.records.count == 2)
    }

    @Test(
        "FS-36: an imperative view feedback works the same; after the system's end the view can send nothing")
    func imperative() {
        let (button, shown) = (Button(), Log<String>())
        var page: Page? = Page(button, shown)
        let bench = EffectBench(
            .imperative { [weak page] send in
                page?.button.onTap { [weak page] in if page != nil { send(.note("tap")) } }
                return { board, _ in page?.show(board) }
            })
        button.tap()
        bench.advance(0)
        #expect(shown.take() == ["tap"])
        page = nil
        button.tap()
        bench.send(.note("a"))
        #expect(shown.entries.isEmpty)
        #expect(bench.records.count == 2)

        let other = Page(button, shown)
        let second = EffectBench(other.feedback)
        second.release()
        button.tap()
        second.scheduler.run()
        #expect(shown.take() == [""])
        #expect(second.records.entries.isEmpty)
    }
}
