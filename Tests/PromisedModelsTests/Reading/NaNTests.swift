import Promise
import PromisedModels
import PromisedModelsTesting
import PromisedTesting
import Testing

/// A number that is not equal to itself is the same number if its bits are the same.
struct NaNTests {
    /// Sets a property to NaN.
    private static let kinds: [@Sendable (Gauge, @escaping @Sendable () -> Void) -> Void] = [
        { gauge, react in gauge.onChange(of: \.number) { _ in react() } },
        { gauge, react in gauge.onChange(of: \.level) { _ in react() } },
        { gauge, react in gauge.onChange(of: \.reading) { _ in react() } },
        { gauge, react in gauge.onChange(of: \.self) { _ in react() } },
        { gauge, react in gauge.forEach(gauge.context.reader(\.reading).number.values) { _ in react() } },
        { gauge, react in gauge.forEach(gauge.changes(of: \.number)) { _ in react() } },
        { gauge, react in gauge.forEach(gauge.preferences(of: Low.self)) { _ in react() } },
    ]

    private enum Low: PreferenceKey {
        static var defaultValue: Double { 0 }
        static func reduce(_ value: inout Double, with next: Double) { value = next }
    }

    @Test("OS-26: a reaction that sets NaN settles", arguments: kinds.indices)
    func reaction(kind: Int) {
        let fixture = Fixture<Gauge>(.init())
        let gauge = fixture.model
        let count = Box(0)
        Self.kinds[kind](gauge) {
            // Ends it by itself where it would not settle.
            guard count.value < 50 else { return }
            count.change { $0 += 1 }
            gauge.state.update { ($0.number, $0.level, $0.reading.number) = (.nan, .nan, .nan) }
            gauge.setPreference(Low.self, .nan)
        }
        fixture.scheduler.advance()
        gauge.state.update { ($0.number, $0.level, $0.reading.number) = (1, 1, 1) }
        gauge.setPreference(Low.self, 1)
        fixture.scheduler.advance()
        #expect((1...4).contains(count.value))
    }

    @Test("OS-26: NaN is a change from another number and to one, and other bits are another NaN")
    func changes() {
        let fixture = Fixture<Gauge>(.init())
        let (gauge, notes) = (fixture.model, fixture.notes)
        gauge.onChange(of: \.number) { notes.add("\($0)") }
        #expect(fixture.after { $0.state.number = .nan } == ["nan"])
        #expect(fixture.after { $0.state.number = .nan } == [])
        #expect(fixture.after { $0.state.number = Double(nan: 1, signaling: false) } == ["nan(0x1)"])
        #expect(fixture.after { $0.state.number = 3 } == ["3.0"])
    }

    @Test("OS-53: a state with NaN can be asserted, and is accounted for")
    func asserted() {
        let reports = TestReport.collect {
            let test = TestStore<Gauge>(initialState: .init())
            test.model.perform { $0.state.update { ($0.number, $0.list) = (.nan, [1, .nan]) } }
            test.model.assert(\.number, .nan)
            test.model.assert { $0.list = [1, .nan] }
            test.model.perform { $0.state.reading.number = .nan }
            test.assert { $0.reading.number = .nan }
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }

    @Test("OS-53: NaN instead of a number, and a number beside NaN, are failures")
    func wrong() {
        let reports = TestReport.collect {
            let test = TestStore<Gauge>(initialState: .init())
            test.model.perform { $0.state.update { ($0.number, $0.list) = (.nan, [1, .nan]) } }
            test.model.assert(\.number, 2)
            test.model.assert { $0.list = [2, .nan] }
            test.finish()
        }
        #expect(reports.count == 2)
        #expect(reports.first?.message.contains("2.0 → nan") == true)
        #expect(reports.last?.message.contains("list[0]: 2.0 → 1.0") == true)
    }

    @Test("OS-41, OS-55: an event with NaN is heard, and received")
    func event() {
        let reports = TestReport.collect {
            let test = TestStore<Gauge>(initialState: .init())
            test.model.perform { gauge in
                gauge.forEach(gauge.events(of: .level(.nan))) { _ in gauge.state.changes += 1 }
                gauge.send(.level(.nan))
                gauge.send(.level(2))
            }
            test.model.receive(.level(.nan))
            test.model.receive(.level(2))
            test.model.assert { $0.changes = 1 }
            test.finish()
        }
        #expect(reports.map(\.message) == [])
    }
}
