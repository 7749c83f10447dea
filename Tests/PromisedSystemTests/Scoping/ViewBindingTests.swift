import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A view that shows the state, and sends its user's events.
@Suite struct ViewBindingTests {
    private final class View: Sendable {
        let log: Log<String>
        let onTap = Box<(@Sendable () -> Void)?>(nil)

        init(_ log: Log<String>) { self.log = log }

        func show(_ number: Int) { log.add("show \(number)") }
    }

    private let log = Log<String>()
    private let scheduler = TestScheduler()

    private func counter() -> System<Int, Int> {
        System(initialState: 0, scheduler: scheduler) { state, event in
            Promise.value(state + event).delay(.seconds(1)).stateWhenLoading(-1)
        }
    }

    @Test("FS-36: a bound view is updated with every state, and the events that it sends are reduced")
    func bound() {
        let (counter, view) = (counter(), View(log))
        counter.scoped().bind(view, show: View.show) { send in view.onTap.value = { send(2) } }
        view.onTap.value?()
        scheduler.run()
        #expect(log.entries == ["show 0", "show -1", "show 2"])
    }

    @Test("FS-36: a released view is not updated, and no event of it is reduced") func gone() {
        let counter = counter()
        let send = Box<(@Sendable (Int) -> Void)?>(nil)
        do {
            let view = View(log)
            counter.scoped().bind(view, show: View.show) { send.value = $0 }
            withExtendedLifetime(view) {}
        }
        #expect(log.take() == ["show 0"])
        counter.onLoop { [log] in log.add("event \($0.event)") }
        send.value?(2)
        scheduler.run()
        #expect(log.entries == [])
        counter.sendEvent(3)
        scheduler.run()
        #expect(log.entries == ["event 3"])
        #expect(counter.subscribers == 0)
    }

    @Test("FS-36: the token ends both, while the view lives") func token() {
        let (counter, view) = (counter(), View(log))
        let part = counter.scoped(by: .sending { (text: String) in text.count })
        let token = part.bind(view, show: View.show) { send in view.onTap.value = { send("two") } }
        token.cancel()
        view.onTap.value?()
        counter.sendEvent(1)
        scheduler.run()
        #expect(log.entries == ["show 0"] && counter.state == 1)
        part.bind(view, show: View.show)
        part.shown.unsubscribe(view)
        counter.sendEvent(1)
        scheduler.run()
        #expect(log.entries == ["show 0", "show 1"])
    }
}
