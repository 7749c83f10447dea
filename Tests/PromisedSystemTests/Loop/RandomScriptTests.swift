import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@Suite struct RandomScriptTests {
    /// A script run by the real system.
    private struct Run {
        let shown = Log<String>()
        let records = Log<String>()
        let errors = Log<String>()
        let state: String

        init(_ script: Script) {
            let scheduler = TestScheduler()
            let keeper = Log<Resolver<String>>()
            let system = System<String, Script.Act>(
                initialState: "", scheduler: scheduler,
                configuration: .init(
                    eventPolicy: \.policy,
                    timeLimit: { $0.limit.map { .microseconds($0) } }),
                reducer: { state, act in Self.reduce(state, act, scheduler, keeper) })
            let token = system.shown.subscribe(replayCurrent: false) { [shown] in shown.add(mark($0)) }
            system.onError { [errors] error in
                switch error {
                case let error as TestError: errors.add(error.description)
                case PromiseError.timedOut: errors.add("limit")
                case is CancellationError: errors.add("cancellation")
                default: errors.add("\(error)")
                }
            }
            system.onLoop { [records] record in
                let outcome = describe(record.outcome).prefix { $0 != "(" }
                records.add("\(record.event.name) \(outcome)")
            }
            for send in script.sends {
                scheduler.advance(to: .microseconds(send.at))
                for act in send.acts { system.sendEvent(act) }
            }
            scheduler.run()
            state = system.state
            token.cancel()
        }

        private static func reduce(
            _ state: String, _ act: Script.Act, _ scheduler: TestScheduler, _ keeper: Log<Resolver<String>>
        ) -> Promise<String> {
            @Sendable func end(_ resolver: Resolver<String>) {
                switch act.end {
                case .fulfills: resolver.fulfill(state + act.name)
                case .rejects: resolver.reject(TestError(act.name))
                case .cancels: resolver.reject(CancellationError())
                case .hangs: keeper.add(resolver)
                }
            }
            if act.delay == nil, act.end != .hangs {
                let (promise, resolver) = Promise<String>.pending()
                end(resolver)
                return promise.showing(act.leads)
            }
            return Promise { resolver in
                for report in act.reports {
                    scheduler.schedule(after: .microseconds(report.after)) { resolver.report(report.value) }
                }
                guard let delay = act.delay else { return end(resolver) }
                scheduler.schedule(after: .microseconds(delay)) { end(resolver) }
            }
            .showing(act.leads)
        }
    }

    @Test("R14: random scripts show, record and fail exactly as in the model")
    func againstModel() {
        let base: UInt64 = 20_260_301
        for number in 0..<UInt64(rounds(100, stress: 300)) {
            let script = Script(seed: base + number)
            let run = Run(script)
            let model = ScriptModel(script)
            #expect(run.shown.entries == model.shown, "seed \(base + number)")
            #expect(run.records.entries == model.records, "seed \(base + number)")
            #expect(run.errors.entries == model.errors, "seed \(base + number)")
            #expect(run.state == model.state, "seed \(base + number)")
        }
    }

    @Test("R16: the same seed gives the same run")
    func sameSeed() {
        for seed in 0..<UInt64(rounds(20)) {
            let first = Run(Script(seed: seed))
            let second = Run(Script(seed: seed))
            #expect(first.shown.entries == second.shown.entries)
            #expect(first.records.entries == second.records.entries)
        }
    }
}
