import PromisedSystem
import PromisedTesting
import Testing

/// Work that the state requests.
@Suite struct StateFeedbackTests {
    private let works = Log<String>()

    @Test(
        "FS-01, FS-33: a feedback that answers the initial state starts by itself, whatever led to the state")
    func initialState() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .lensingSkippingRepeated(state: \.value) { [works] in works.work("\($0)", notesAfter: [1]) })
        #expect(works.take() == ["+1"])
        bench.advance(1)
        #expect(bench.notes == ["1"])
        bench.send(.set(2))
        bench.send(.set(nil), .set(2))
        #expect(works.take() == ["+2", "-2", "+2"])
    }

    @Test("FS-05, FS-08: without events the state never changes; empty and never send nothing")
    func silent() {
        let bench = EffectBench(works: works, .empty, .never, .just(effects: Effect<Signal>.none))
        bench.advance(100)
        #expect(bench.records.entries.isEmpty)
        bench.send(.note("a"))
        #expect(bench.system.state == Board(notes: ["a"]))
    }

    @Test(
        "FS-06: called with (state, nil) at the start, and after each event with the state, then with the event"
    )
    func inputs() {
        let seen = Log<String>()
        let both: @Sendable (Board, Signal?) -> Effect<Signal> = { board, signal in
            seen.add("\(board.value ?? 0) \(signal.map { "\($0)" } ?? "–")")
            return .none
        }
        let bench = EffectBench(Feedback(effects: both))
        bench.send(.set(1))
        #expect(seen.entries == ["0 –", "1 –", "1 set(Optional(1))"])
    }

    @Test("FS-19: work for every input restarts on the state and on the event")
    func everyInput() {
        let bench = EffectBench(
            works: works,
            Feedback(effects: { [works] _, event in works.work(event == nil ? "state" : "event") }))
        bench.send(.set(1))
        #expect(works.entries == ["+state", "-state", "+state", "-state", "+event"])
    }

    @Test("FS-09: only the latest runs: a new value cancels, nil leaves the running work alone")
    func latest() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .withLatest(state: \.value) { [works] in works.work("\($0)", notesAfter: [1]) })
        bench.send(.set(nil))
        #expect(works.take() == ["+1"])
        bench.send(.set(2))
        #expect(works.take() == ["-1", "+2"])
        bench.advance(1)
        #expect(bench.notes == ["2"])
    }

    @Test("FS-10: merged work runs concurrently and delivers all results")
    func merged() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .merging(state: { $0.notes.isEmpty ? $0.value : nil }) { [works] in
                works.work("\($0)", notesAfter: [1])
            })
        bench.send(.set(2))
        bench.advance(1)
        #expect(works.entries == ["+1", "+2"])
        #expect(bench.notes == ["1", "2"])
    }

    @Test("FS-11: a lens restarts on any input, so only the first event of each run counts")
    func lens() {
        let bench = EffectBench(
            works: works,
            .lensing(state: { $0.notes.count < 3 ? $0.value : nil }) { [works] in works.burst("\($0)-", 3) })
        bench.send(.set(7))
        #expect(bench.notes == ["7-1", "7-1", "7-1"])
        #expect(works.entries == ["+7-", "-7-", "+7-", "-7-", "+7-", "-7-"])
    }

    @Test(
        "FS-13: skipping repeats: an equal value keeps the work, a different one restarts it, nil cancels it"
    )
    func skippingRepeats() {
        let bench = EffectBench(
            works: works, .lensingSkippingRepeated(state: \.value) { [works] in works.work("\($0)") })
        bench.send(.set(1), .note("unrelated"), .set(1))
        #expect(works.take() == ["+1"])
        bench.send(.set(2))
        #expect(works.take() == ["-1", "+2"])
        bench.send(.set(nil))
        #expect(works.take() == ["-2"])
        bench.send(.set(2))
        #expect(works.take() == ["+2"])
    }

    @Test(
        "FS-14: a custom comparison compares nil too: one that is always equal starts once and never cancels")
    func ownComparison() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .lensingSkippingRepeated(state: \.value, equals: { _, _ in true }) { [works] in
                works.work("\($0)")
            })
        bench.send(.set(2), .set(nil), .set(3))
        #expect(works.entries == ["+1"])
    }

    @Test("FS-16: work starts by a derived key, with the whole state") func derivedKey() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .skippingRepeated(state: { ($0.value ?? 0) / 10 }) { [works] in
                works.work("\($0.value ?? 0) of \($0.notes.count)")
            })
        bench.send(.set(2), .note("a"), .set(12))
        #expect(works.entries == ["+1 of 0", "-1 of 0", "+12 of 1"])
    }

    @Test(
        "FS-17: work starts for the first value after nil, the initial one included; others are ignored, nil cancels"
    )
    func firstAfterNil() {
        let bench = EffectBench(
            from: Board(value: 1), works: works,
            .firstValueAfterNil(state: \.value) { [works] in works.work("\($0)") })
        bench.send(.set(2), .set(3))
        #expect(works.take() == ["+1"])
        bench.send(.set(nil), .set(4))
        #expect(works.take() == ["-1", "+4"])
    }

    @Test(
        "FS-18: work starts when the value becomes true: T, T, F, T is two starts and one end; true at the start counts"
    )
    func edges() {
        let bench = EffectBench(
            works: works, .whenBecomesTrue(state: \.flag) { [works] _ in works.work("on") })
        bench.send(.flag(true), .flag(true), .flag(false), .flag(true))
        #expect(works.take() == ["+on", "-on", "+on"])
        let started = EffectBench(
            from: Board(flag: true), works: works,
            .whenBecomesTrue(state: \.flag) { [works] _ in works.work("on") }
        )
        #expect(works.take() == ["+on"])
        withExtendedLifetime(started) {}
    }

    @Test(
        "FS-34, SR-28: many keyed requests: new ones start, removed ones are cancelled, the same ones keep running"
    )
    func keyed() {
        let bench = EffectBench(
            works: works,
            .react(requests: { board in Set(board.notes.suffix(2)) }) { [works] in works.work($0) })
        bench.send(.note("1"), .note("2"))
        #expect(works.take() == ["+1", "+2"])
        bench.send(.note("3"))
        #expect(works.take() == ["-1", "+3"])
    }

    @Test("SR-28: of requests with one key the last counts")
    func duplicateKeys() {
        let bench = EffectBench(
            works: works,
            Feedback(requests: { [works] _, board in
                board.notes.enumerated().map { number, name in
                    EffectRequest("one", revision: EffectKey(number)) { works.work(name) }
                }
            }))
        bench.send(.note("a"))
        bench.send(.note("b"))
        #expect(works.entries == ["+a", "-a", "+b"])
    }

    @Test(
        "FS-35, SR-42: a changed request under the same key restarts, or is delivered where the work takes updates"
    )
    func updates() {
        let restarted = EffectBench(
            works: works,
            .react(requests: { board in [1: board.value] }) { [works] id, value in
                works.work("\(id):\(value ?? 0)")
            })
        restarted.send(.set(1), .note("unrelated"), .set(2))
        #expect(works.take() == ["+1:0", "-1:0", "+1:1", "-1:1", "+1:2"])
        restarted.release()
        _ = works.take()

        let updated = EffectBench(
            works: works,
            .react(requests: { board in [1: board.value] }) { [works] id, value, later in
                works.add("+\(id):\(value ?? 0)")
                return Effect<Signal>.values(later.filter { $0 != nil }.map { Signal.note("\($0 ?? 0)") })
            })
        updated.send(.set(1), .note("unrelated"), .set(2))
        #expect(works.take() == ["+1:0"])
        #expect(updated.notes == ["unrelated", "1", "2"])
    }

    @Test("SR-54: polling while a flag is on stops with it") func polling() {
        let bench = EffectBench(
            works: works,
            .whenBecomesTrue(state: \.flag) { _ in
                Effect<Signal> { effect in
                    @Sendable func tick() {
                        let next = effect.scheduler.schedule(after: .seconds(1)) {
                            effect.send(.note("tick"))
                            tick()
                        }
                        effect.onCancel { next.cancel() }
                    }
                    tick()
                }
            })
        bench.send(.flag(true))
        bench.advance(3)
        bench.send(.flag(false))
        bench.advance(3)
        #expect(bench.notes == ["tick", "tick", "tick"])
        #expect(bench.scheduler.pendingCount == 0)
    }

    @Test("R25: requests of a set or a dictionary start in the order of their first request, then by name")
    func order() {
        let all: @Sendable (Board) -> [String] = { board in
            board.notes.flatMap { $0.split(separator: " ").map(String.init) }
        }
        for keyed in [false, true] {
            let works = Log<String>()
            let feedback: Feedback<Board, Signal> =
                keyed
                ? .react(requests: { board in
                    Dictionary(all(board).map { ($0, $0) }, uniquingKeysWith: { $1 })
                }) {
                    id, _ in works.work(id)
                } : .react(requests: { Set(all($0)) }) { works.work($0) }
            let bench = EffectBench(works: works, feedback)
            bench.send(.note("f b d c a e"))
            bench.send(.note("h g"))
            #expect(works.entries == ["a", "b", "c", "d", "e", "f", "g", "h"].map { "+\($0)" })
        }
    }
}
