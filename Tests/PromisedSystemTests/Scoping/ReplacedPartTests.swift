import PromisedSystem
import PromisedTesting
import Testing

/// An optional part that another takes the place of: a sheet for one thing, and then for another.
@Suite struct ReplacedPartTests {
    struct Sheet: FeatureProtocol {
        struct State: Equatable, Identifiable {
            let id: Int
            var isReading = true
            var text = ""
        }
        enum Event: Equatable { case read(String), save, saved(Int), touch }

        let read: @Sendable (Int) -> Promise<String>
        var write: @Sendable (Int) -> Promise<Void> = { _ in .value(()) }

        var reducer: Reducer<State, Event> {
            Reducer { sheet, event in
                switch event {
                case .read(let text): (sheet.text, sheet.isReading) = (text, false)
                case .touch: sheet.text += "."
                case .save, .saved: break
                }
            }
        }

        var feedbacks: [Feedback<State, Event>] {
            [
                .whenBecomesTrue(state: \.isReading) { sheet in read(sheet.id).map(Event.read) },
                .onEvent({ $0 == .save ? () : nil }) { write(0).map { .saved(0) } },
            ]
        }
    }

    struct Desk: Equatable { var sheet: Sheet.State? }
    enum Event: Equatable { case open(Int), close, sheet(Sheet.Event) }

    private static let sheet = Scope(
        state: \Desk.sheet,
        event: CasePath(embed: Event.sheet) { if case .sheet(let event) = $0 { event } else { nil } })

    private static let opening = Feature(
        reducer: Reducer<Desk, Event> { desk, event in
            switch event {
            case .open(let id): desk.sheet = Sheet.State(id: id)
            case .close: desk.sheet = nil
            case .sheet: break
            }
        })

    @Test(
        "Work of an optional part is for its id: when another takes its place, it is cancelled and begins anew"
    )
    func replaced() {
        let read = Stub<Int, String>("read")
        let test = TestSystem(
            initialState: Desk(),
            feature: Self.opening <> Sheet(read: read.function).lifted(by: Self.sheet))
        test.send(.open(1)) { $0.sheet = Sheet.State(id: 1) }
        test.send(.open(2)) { $0.sheet = Sheet.State(id: 2) }
        #expect(read.calls.map { "\($0)" } == ["1. 1: cancelled", "2. 2: open"])
        read.fulfill("two")
        test.advance()
        test.receive(.sheet(.read("two"))) { $0.sheet = Sheet.State(id: 2, isReading: false, text: "two") }
        test.finish()
    }

    @Test("Another state with the same id leaves the work alone") func sameID() {
        let read = Stub<Int, String>("read")
        let test = TestSystem(
            initialState: Desk(),
            feature: Self.opening <> Sheet(read: read.function).lifted(by: Self.sheet))
        test.send(.open(1)) { $0.sheet = Sheet.State(id: 1) }
        test.send(.sheet(.touch)) { $0.sheet?.text = "." }
        test.send(.open(1)) { $0.sheet?.text = "" }
        #expect(read.calls.map { "\($0)" } == ["1. 1: open"])
        test.send(.close) { $0.sheet = nil }
        test.finish()
        #expect(read.calls.map { "\($0)" } == ["1. 1: cancelled"])
    }

    @Test("Work that an event has set off ends with the part that it was for, too") func setOffByEvent() {
        let (read, write) = (Stub<Int, String>("read"), Stub<Int, Void>("write"))
        let test = TestSystem(
            initialState: Desk(sheet: Sheet.State(id: 1, isReading: false)),
            feature: Self.opening <> Sheet(read: read.function, write: write.function).lifted(by: Self.sheet))
        test.send(.sheet(.save))
        test.send(.open(2)) { $0.sheet = Sheet.State(id: 2) }
        #expect(write.calls.map { "\($0)" } == ["1. 0: cancelled"])
        test.send(.sheet(.save))
        write.fulfill(())
        test.advance()
        test.receive(.sheet(.saved(0)))
        test.send(.close) { $0.sheet = nil }
        test.finish()
    }

    @Test("A part of a part, and one of an element, are told apart in the same way") func nested() {
        struct House: Equatable { var desks: [Place] = [] }
        struct Place: Equatable, Identifiable { let id: Int; var desk: Desk? = Desk() }
        enum Whole: Equatable { case place(Int, Event) }
        let desk = Scope<Place, Event, Desk?, Event>(state: \.desk, event: .identity())
        let places = Elements(
            in: \House.desks,
            event: CasePath(embed: Whole.place) {
                if case .place(let id, let event) = $0 { (id, event) } else { nil }
            })
        let read = Stub<Int, String>("read")
        let feature = Self.opening <> Sheet(read: read.function).lifted(by: Self.sheet)
        let test = TestSystem(
            initialState: House(desks: [Place(id: 7), Place(id: 8)]),
            feature: feature.lifted(by: desk).lifted(byEach: places))
        test.send(.place(7, .open(1))) { $0.desks[0].desk?.sheet = Sheet.State(id: 1) }
        test.send(.place(8, .open(1))) { $0.desks[1].desk?.sheet = Sheet.State(id: 1) }
        test.send(.place(8, .open(2))) { $0.desks[1].desk?.sheet = Sheet.State(id: 2) }
        #expect(read.calls.map { "\($0)" } == ["1. 1: open", "2. 1: cancelled", "3. 2: open"])
        read.fulfill("two", call: .with(2))
        test.advance()
        test.receive(.place(8, .sheet(.read("two")))) {
            $0.desks[1].desk?.sheet = Sheet.State(id: 2, isReading: false, text: "two")
        }
        test.send(.place(7, .close)) { $0.desks[0].desk?.sheet = nil }
        test.finish()
    }

    @Test("A part that does not say which one it is stays the same as long as there is one") func withoutID()
    {
        enum Event { case set(Int?), end }
        let log = Log<String>()
        let feedback = Feedback<Int, Event>.whenBecomesTrue(state: { _ in true }) { number in
            Effect { effect in
                log.add("+\(number)")
                effect.onCancel { log.add("-\(number)") }
            }
        }
        let system = System<Int?, Event>(
            initialState: 1, scheduler: .immediate,
            reducer: Reducer { state, event in if case .set(let number) = event { state = number } },
            feedbacks: [feedback.optional])
        for number in [2, nil, 3] { system.sendEvent(.set(number)) }
        #expect(log.entries == ["+1", "-1", "+3"])
    }
}
