import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

@Suite(.tags(.sharedState)) struct ModelTests {
    @Test("SA-30: a mapped failure has the same error and attempts, and its retry still works")
    func mappedFailure() {
        let calls = Threadsafe(wrappedValue: 0)
        let failure = Fetchable<Int>.failure(
            .init(Refused(), failedAttempts: 3, retry: Action { calls.wrappedValue += 1 }))
        let mapped = failure.map { "\($0)" }
        #expect(mapped.text == "refused !3")
        mapped.failure?.retry?()
        #expect(calls.wrappedValue == 1)
        #expect(mapped.fetched == nil && mapped.fetching == nil)
        let progress = FetchProgress(completed: 1, total: 2)
        #expect(Fetchable<Int>.fetching(.init(progress: progress)).map { $0 }.fetching?.progress == progress)
    }

    @Test("SA-30: parts of the value are read through, and actions make no difference")
    func fetched() {
        let fetched = Fetchable.fetched(.init("four", refresh: .doNothing))
        #expect(fetched.fetched?.count == 4 && fetched.failure == nil)
        #expect(
            fetched == .fetched(.init("four"))
                && fetched.hashValue == Fetchable.fetched(.init("four")).hashValue)
        #expect(fetched != .fetched(.init("four", isRefreshing: true)))
        #expect(fetched != .fetched(.init("four", refreshFailure: .init(Refused()))))
        #expect(
            Fetchable<Int>.failure(.init(Refused("a"))) == .failure(.init(Refused("a"), retry: .doNothing)))
        #expect(Fetchable<Int>.failure(.init(Refused("a"))) != .failure(.init(Refused("b"))))
        #expect(
            Fetchable<Int>.failure(.init(Refused("a"))) != .failure(.init(Refused("a"), failedAttempts: 2)))
        #expect(Fetchable<Int>.fetching(.init()) != .fetching(.init(progress: .init(completed: 1))))
    }

    @Test(
        "SA-31: a placeholder can be read in every case, and is dropped by the conversion to the plain model")
    func placeholder() {
        let (scheduler, server) = (TestScheduler(), FakeServer<Int>())
        let source = Source<Fetchable<Int>>.fetching(on: scheduler) { server.get() }.addingPlaceholder("…")
        #expect(source.value.placeholder == "…" && source.value.fetched == nil)
        scheduler.advance()
        server.answer(3, on: scheduler)
        #expect(source.value.placeholder == "…" && source.value.fetched?.value == 3)
        #expect(source.value.mapPlaceholder(\.count).placeholder == 1)
        #expect(source.value.mapPlaceholder(\.count).fetched?.value == 3)
        let plain: Source<Fetchable<Int>> = source.droppingPlaceholder()
        #expect(plain.value == .fetched(.init(3)))
        let connectable: ConnectableWithPlaceholder<Int, String> =
            Connectable.disconnected(.init(connect: .doNothing)).addingPlaceholder("none")
        #expect(connectable.placeholder == "none" && connectable.connected == nil)
    }

    @Test("SA-34: connected on demand: built once for each connection, and released when it ends")
    func connectable() {
        final class Inner: StateSource {
            let state = SourceState<Int>()
            let initialModel = 1
        }
        let (built, made) = (Threadsafe(wrappedValue: 0), Threadsafe(wrappedValue: Inner?.none))
        let source = ConnectableSource {
            let inner = Inner()
            built.wrappedValue += 1
            made.wrappedValue = inner
            return inner.eraseToSource()
        }.eraseToSource()
        #expect(source.value.connected == nil && built.wrappedValue == 0)
        let connect = source.value.disconnected?.connect
        connect?()
        connect?(ifUnavailable: { _ in false })
        #expect(built.wrappedValue == 1 && source.value.connected?.value == 1)
        made.wrappedValue?.model = 2
        #expect(source.value.connected?.value == 2 && source.value.disconnected == nil)
        weak let first = made.wrappedValue
        made.wrappedValue = nil
        #expect(first != nil)
        source.value.connected?.disconnect()
        #expect(first == nil && source.value.connected == nil)
        source.value.disconnected?.connect()
        #expect(built.wrappedValue == 2 && source.value.connected?.value == 1)
    }

    @Test("SA-34: eight threads that connect build one source")
    func connecting() async {
        for _ in 0..<50 {
            let built = Threadsafe(wrappedValue: 0)
            let source = ConnectableSource {
                built.wrappedValue += 1
                return .constant(1)
            }.eraseToSource()
            await withTaskGroup { group in
                for _ in 0..<8 {
                    group.addTask { source.value.disconnected?.connect(ifUnavailable: { _ in false }) }
                }
            }
            #expect(built.wrappedValue == 1 && source.value.connected?.value == 1)
        }
    }

    @Test("SA-35: a value is set by its action, and shown without it; equality is that of the value")
    func mutable() {
        let source = MutableSource(1).eraseToSource()
        let (plain, seen) = (source.nonmutating(), Seen<Int>())
        let token = plain.subscribe { seen.add($0) }
        source.value.set(2)
        #expect(plain.value == 2 && seen.values == [1, 2])
        #expect(source.value == Mutable(2, set: .doNothing) && source.value != Mutable(1, set: .doNothing))
        token.cancel()
    }

    @Test("SA-36: progress 0.5, 1, 1: seen 0.5, 1")
    func progress() {
        let (source, seen) = (ProgressSource(total: 4), Seen<Double>())
        let token = source.eraseToSource().subscribe(replayCurrent: false) { seen.add($0.fraction ?? -1) }
        source.report(.init(completed: 2, total: 4, remaining: .seconds(2)))
        #expect(source.model.remaining == .seconds(2))
        for completed in [4, 4, 5, 1] { source.report(.init(completed: completed, total: 4)) }
        #expect(seen.values == [0.5, 1] && source.model.completed == 4)
        #expect(
            FetchProgress(completed: 3).fraction == nil && FetchProgress(completed: 9, total: 3).fraction == 1
        )
        #expect(
            FetchProgress(completed: -1, total: 3).fraction == 0
                && FetchProgress(completed: 0, total: 0).fraction == 1)
        token.cancel()
    }
}
