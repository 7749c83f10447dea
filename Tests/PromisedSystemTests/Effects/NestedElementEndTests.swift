import PromisedSystem
import Testing

/// Work of elements of elements ends with them, for every two ways to lift feedbacks to one.
@Suite struct NestedElementEndTests {
    struct Lamp: Identifiable { let id: Int }

    struct Room: Identifiable {
        let id: Int
        var lamps = [Lamp(id: 1), Lamp(id: 2)]
    }

    struct House { var rooms = [Room(id: 1), Room(id: 2)] }

    enum LampEvent { case start, stop }

    enum RoomEvent { case lamp(Int, LampEvent) }

    enum Event { case room(Int, RoomEvent), removeRoom(Int), removeLamp(room: Int, Int) }

    /// To every lamp, to every lamp of room 1, to lamp 1 of every room, or to lamp 1 of room 1.
    enum Way: CaseIterable { case each, eachOfRoom, lampOfEach, lampOfRoom, scope }

    typealias Work = Feedback<Lamp, LampEvent>

    private static let rooms = Elements(
        in: \House.rooms,
        event: CasePath<Event, (Int, RoomEvent)>(embed: { .room($0.0, $0.1) }) {
            if case .room(let id, let event) = $0 { (id, event) } else { nil }
        })
    private static let lamps = Elements(
        in: \Room.lamps,
        event: CasePath<RoomEvent, (Int, LampEvent)>(embed: { .lamp($0.0, $0.1) }) {
            if case .lamp(let id, let event) = $0 { (id, event) } else { nil }
        })

    private static func lifted(_ work: Work, _ way: Way) -> Feedback<House, Event> {
        switch way {
        case .each: work.lifted(byEach: lamps).lifted(byEach: rooms)
        case .eachOfRoom: work.lifted(byEach: lamps).lifted(by: rooms.scope(of: 1))
        case .lampOfEach: work.lifted(by: lamps.scope(of: 1)).lifted(byEach: rooms)
        case .lampOfRoom: work.lifted(by: lamps.scope(of: 1)).lifted(by: rooms.scope(of: 1))
        case .scope: work.lifted(by: rooms.scope(of: 1).appending(lamps.scope(of: 1)))
        }
    }

    private let works = Log<String>()

    /// Two feedbacks whose work has one key, and no end.
    private func house(_ ways: [Way]) -> System<House, Event> {
        let feedbacks = ways.enumerated().map { [works] number, way in
            Self.lifted(
                Work.onEvent({ if case .start = $0 { true } else { nil } }, key: { _ in "work" }) { _ in
                    Effect<LampEvent> { effect in
                        works.add("+\(number)")
                        effect.onCancel { works.add("-\(number)") }
                    }
                }, way)
        }
        let stop = Work.onEvent({ if case .stop = $0 { true } else { nil } }) { _ in
            Effect<LampEvent>.cancel("work")
        }
        return System(
            initialState: House(), scheduler: .immediate,
            reducer: Reducer { house, event in
                switch event {
                case .room: break
                case .removeRoom(let id): house.rooms.removeAll { $0.id == id }
                case .removeLamp(let room, let id):
                    guard let place = house.rooms.firstIndex(where: { $0.id == room }) else { break }
                    house.rooms[place].lamps.removeAll { $0.id == id }
                }
            }, feedbacks: feedbacks + [Self.lifted(stop, ways[0])])
    }

    @Test(
        "work under one key ends with its element, and with the one around that, however it is lifted",
        arguments: Way.allCases.flatMap { one in Way.allCases.map { [one, $0] } },
        [Event.removeRoom(1), .removeLamp(room: 1, 1), .room(1, .lamp(1, .stop))])
    func ending(_ ways: [Way], _ end: Event) {
        let house = house(ways)
        house.sendEvent(.room(1, .lamp(1, .start)))
        for other in [Event.removeLamp(room: 1, 2), .removeLamp(room: 2, 1), .removeRoom(2)] {
            house.sendEvent(other)
        }
        #expect(works.take() == ["+0", "+1"])
        house.sendEvent(end)
        #expect(works.take() == ["-0", "-1"])
    }
}
