import Foundation
import PromisedModels
import PromisedTesting
import TestSupport
import Testing

/// What is sent to a model that was created in the same step reaches what the model listens to when it is activated.
@Suite(.tags(.sharedState)) struct EarlyEventTests {
    private struct Listener: Model {
        struct State: Equatable, Identifiable {
            let id: Int
            var inner: [Listener.State] = []
        }
        enum Event: Equatable { case own }
        let context: ModelContext<Listener>
        static let children: [Child<Listener>] = [.each(\.inner, Listener.self)]
        var inner: [Listener] { children(\.inner) }

        func onActivate() {
            let (notes, id) = (dependency(\.notes), context.state.id)
            forEach(triggers(of: String.self)) { notes.add("\(id) trigger \($0)") }
            forEach(events(ofType: Int.self)) { notes.add("\(id) event \($0)") }
            forEach(events()) { _ in notes.add("\(id) own") }
        }
    }

    /// Creates a model with one below it, and sends before anything else is done.
    private func send(_ act: @escaping (Listener, Listener) -> Void, isOnScheduler: Bool) -> Set<String> {
        let fixture = Fixture<[Listener]>([])
        let step = {
            fixture.store.replace([.init(id: 1, inner: [.init(id: 2)])])
            let top = fixture.store.model[0]
            act(top, top.inner[0])
        }
        if isOnScheduler { fixture.scheduler.runAsCurrent(step) } else { step() }
        fixture.scheduler.advance()
        return Set(fixture.notes.take())
    }

    @Test("OS-40: a trigger reaches a child that was created in the same step", arguments: [false, true])
    func trigger(isOnScheduler: Bool) {
        #expect(send({ top, _ in top.trigger("x") }, isOnScheduler: isOnScheduler) == ["2 trigger x"])
    }

    @Test(
        "OS-39: an event reaches its sender and those above that were created in the same step",
        arguments: [false, true])
    func upwards(isOnScheduler: Bool) {
        #expect(
            send({ _, inner in inner.send(5) }, isOnScheduler: isOnScheduler) == ["1 event 5", "2 event 5"])
        #expect(send({ _, inner in inner.send(.own) }, isOnScheduler: isOnScheduler) == ["2 own"])
    }

    @Test(
        "OS-40: what a model sends down when it is activated reaches those below, which are activated later")
    func fromActivation() {
        struct Caller: Model {
            struct State: Equatable { var inner = Listener.State(id: 2) }
            let context: ModelContext<Caller>
            static let children: [Child<Caller>] = [.one(\.inner, Listener.self)]
            func onActivate() {
                trigger("begin")
                // Sent before: an own event that nothing listens to yet.
                send(7)
                let notes = dependency(\.notes)
                forEach(events(ofType: Int.self)) { notes.add("caller \($0)") }
            }
        }
        let fixture = Fixture<Caller>(.init())
        #expect(fixture.notes.take() == ["2 trigger begin"])
    }

    @Test("OS-40: what another thread sends while a model is activated reaches what the model begins with")
    func fromOtherThread() {
        struct Slow: Model {
            struct State: Equatable {}
            let context: ModelContext<Slow>

            func onActivate() {
                let notes = dependency(\.notes)
                let isSent = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    send(3)
                    isSent.signal()
                }
                isSent.wait()
                forEach(events(ofType: Int.self)) { notes.add("\($0)") }
            }
        }
        let fixture = Fixture<Slow>(.init())
        fixture.scheduler.advance()
        #expect(fixture.notes.take() == ["3"])
    }

    @Test(
        "OS-41: what was sent before a model began to listen is not received, except by what it begins with")
    func later() {
        let fixture = Fixture<Counter>(.init())
        fixture.model.send(1)
        let notes = fixture.notes
        _ = notes.take()
        fixture.model.forEach(fixture.model.events(ofType: Int.self)) { notes.add("\($0)") }
        fixture.scheduler.advance()
        #expect(notes.take() == [])
    }
}
