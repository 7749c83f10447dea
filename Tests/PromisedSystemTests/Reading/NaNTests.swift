import Observation
import Promise
import PromisedSystem
import Testing

/// NaN after NaN is no change, for every reader that compares.
@Suite struct NaNTests {
    private struct Row: Sendable, Equatable, Identifiable { var id = 1, number = 0.0 }
    private struct Gauge: Sendable, Equatable { var number = 0.0, rows = [Row()], sheet: Row? = Row() }
    private typealias GaugeSystem = System<Gauge, Double>
    private typealias Way<Local: Sendable> = Scope<Gauge, Double, Local, Double>

    private static let sheet = Way<Row?>(state: \.sheet, event: CasePath(embed: { $0 }) { $0 })
    private static let row = Way<Row?>(id: 1, in: \.rows, event: CasePath(embed: { $1 }) { (1, $0) })
    private static let closures = Way<Double>(
        get: { $0.number }, modify: { $1(&$0.number) }, extract: { $0 }, embed: { $0 })

    private static let readers: [@Sendable (GaugeSystem, Log<Double>) -> SubscriptionToken] = [
        { gauge, log in gauge.settled.map(\.number).removeDuplicates().subscribe { log.add($0) } },
        { gauge, log in gauge.settled.removeDuplicates().subscribe { log.add($0.number) } },
        { gauge, log in gauge.scoped(to: \.number).settled.subscribe { log.add($0) } },
        { gauge, log in gauge.scoped(to: \.number).shown.subscribe { log.add($0.state) } },
        { gauge, log in gauge.scoped(by: closures).settled.subscribe { log.add($0) } },
        { gauge, log in gauge.scoped(by: sheet).settled.subscribe { log.add($0?.number ?? -1) } },
        { gauge, log in gauge.scoped(by: row).settled.subscribe { log.add($0?.number ?? -1) } },
        { gauge, log in gauge.scoped(by: row).scoped(to: \.?.number).settled.subscribe { log.add($0 ?? -1) }
        },
        { gauge, log in
            log.add(0)
            return gauge.observe(didChange: { log.add($1.number) })
        },
        { gauge, log in
            log.add(0)
            return gauge.observe(willChange: { log.add($1.number) })
        },
    ]

    @Test("PK-25, OS-14: a reader that compares is told of NaN once", arguments: readers.indices)
    func reader(kind: Int) {
        let gauge = GaugeSystem(
            initialState: Gauge(), scheduler: .immediate,
            reducer: Reducer { gauge, number in
                (gauge.number, gauge.rows[0].number, gauge.sheet) = (number, number, Row(number: number))
            })
        let log = Log<Double>()
        let token = Self.readers[kind](gauge, log)
        for number in [Double.nan, .nan, 2, .nan, Double(nan: 1, signaling: false)] {
            gauge.sendEvent(number)
        }
        #expect(log.entries.map { "\($0)" } == ["0.0", "nan", "2.0", "nan", "nan(0x1)"])
        token.cancel()
    }

    @Test("OS-14: a tracked property that stays NaN notifies nobody") func observation() {
        let gauge = GaugeSystem(
            initialState: Gauge(), scheduler: .immediate, reducer: Reducer { $0.number = $1 })
        gauge.sendEvent(.nan)
        let changes = Log<Int>()
        withObservationTracking {
            _ = gauge.settled[\.number]
        } onChange: {
            changes.add(1)
        }
        gauge.sendEvent(.nan)
        #expect(changes.count == 0)
        gauge.sendEvent(1)
        #expect(changes.count == 1)
    }

    private static let feedbacks: [@Sendable (Log<Double>) -> Feedback<Gauge, Double>] = [
        { log in .lensingSkippingRepeated(state: { $0.number }) { Effect.logging($0, log) } },
        { log in .skippingRepeated(state: { $0.number }) { Effect.logging($0.number, log) } },
        { log in .extractingSkippingRepeated(payload: { $0 }) { Effect.logging($0, log) } },
        { log in .react(requests: { [1: $0.number] }) { Effect.logging($1, log) } },
    ]

    @Test("FS-13, FS-15, FS-16: work for NaN is begun once", arguments: feedbacks.indices)
    func feedback(kind: Int) {
        let log = Log<Double>()
        let gauge = Feature(
            reducer: Reducer<Gauge, Double> { $0.number = $1 }, feedbacks: [Self.feedbacks[kind](log)])
        let system = System(initialState: Gauge(), scheduler: .immediate, feature: gauge)
        _ = log.take()
        for number in [Double.nan, .nan, 2, 2, .nan] { system.sendEvent(number) }
        #expect(log.entries.map { "\($0)" } == ["nan", "2.0", "nan"])
    }

    @Test("FS-13: a feedback of a part is not asked again while the part stays NaN") func part() {
        let log = Log<Double>()
        let of = Feedback<Double, Double>.lensing(state: { $0 }) { Effect.logging($0, log) }
        let gauge = Feature(
            reducer: Reducer<Gauge, Double> { $0.number = $1 },
            feedbacks: [
                of.lifted(
                    by: Way<Double>(
                        get: { $0.number }, modify: { $1(&$0.number) }, extract: { _ in nil }, embed: { $0 }))
            ])
        let system = System(initialState: Gauge(), scheduler: .immediate, feature: gauge)
        _ = log.take()
        for number in [Double.nan, .nan, 2, .nan] { system.sendEvent(number) }
        #expect(log.entries.map { "\($0)" } == ["nan", "2.0", "nan"])
    }

    @Test("PK-25: a value that is never equal, without a number, is a change each time") func neverEqual() {
        struct Pulse: Sendable, Equatable {
            var number = 1
            static func == (left: Pulse, right: Pulse) -> Bool { false }
        }
        let pulses = System<Pulse, Int>(
            initialState: Pulse(), scheduler: .immediate, reducer: Reducer { $0.number = $1 })
        let log = Log<Int>()
        let token = pulses.settled.removeDuplicates().subscribe { log.add($0.number) }
        pulses.sendEvent(1)
        pulses.sendEvent(1)
        #expect(log.entries == [1, 1, 1])
        token.cancel()
    }
}

extension Effect<Double> {
    /// Work that is noted when it begins.
    fileprivate static func logging(_ number: Double, _ log: Log<Double>) -> Effect {
        log.add(number)
        return .none
    }
}
