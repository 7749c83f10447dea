import PromisedSystem
import PromisedTesting
import Testing

/// A system, or a part of one, that follows another system.
@Suite struct InputFeedbackTests {
    private struct Room: Sendable, Equatable { var degrees: Int? }
    private enum Event: Sendable, Equatable { case open(Bool), measured(Int) }

    private let scheduler = TestScheduler()

    private func thermometer() -> System<Int, Int> {
        System(initialState: 20, scheduler: scheduler, reducer: Reducer { $0 = $1 })
    }

    @Test("FS-21: a system that was stopped or released unsubscribes from what it followed") func ended() {
        let thermometer = thermometer()
        let following = {
            System<[Int], Int>(
                initialState: [], scheduler: scheduler, reducer: Reducer { $0.append($1) },
                feedbacks: [.input(thermometer.settled, as: { $0 })])
        }
        var systems = [following(), following()]
        scheduler.advance()
        #expect(thermometer.subscribers == 2)
        systems[0].stop()
        #expect(thermometer.subscribers == 1)
        #expect(systems[0].state == [20])
        systems = []
        #expect(thermometer.subscribers == 0)
    }

    @Test("FS-21: a part that follows a source is subscribed only while the part exists") func part() {
        let thermometer = thermometer()
        let scope = Scope<Room, Event, Int?, Event>(
            state: \.degrees, event: CasePath(embed: { $0 }) { $0 })
        let system = System<Room, Event>(
            initialState: Room(), scheduler: scheduler,
            reducer: Reducer { room, event in
                switch event {
                case .open(let isOpen): room.degrees = isOpen ? 0 : nil
                case .measured(let degrees): room.degrees = degrees
                }
            },
            feedbacks: [
                Feedback<Int, Event>.input(thermometer.settled, as: Event.measured).lifted(by: scope)
            ])
        for isOpen in [true, false, true] {
            system.sendEvent(.open(isOpen))
            scheduler.advance()
            #expect(thermometer.subscribers == (isOpen ? 1 : 0))
            #expect(system.state.degrees == (isOpen ? 20 : nil))
        }
        system.sendEvent(.open(false))
        scheduler.advance()
        thermometer.sendEvent(30)
        scheduler.advance()
        #expect(system.state.degrees == nil)
    }
}
