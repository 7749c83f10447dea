import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// The second round through one handle, and the release of one thing while another one waits for it.
@Suite(.tags(.sharedState)) struct HeldSourceTests {
    final class Number: StateSource {
        let state = SourceState<Int>()
        let initialModel = 0
    }

    /// Sources whose value follows that of a number.
    enum Kind: String, CaseIterable, Sendable {
        case state, composed, mapped, flatMapped, filtered, combined, mutable, connected, autoConnected,
            decoded
        case paired, retried, refreshed, delayed

        func make(_ number: Source<Int>, _ scheduler: TestScheduler) -> Source<Int> {
            let fetched = number.map { Fetchable.fetched(.init($0)) }
            let shown: Source<Fetchable<Int>>
            switch self {
            case .state: return number
            case .composed: return ComposedSource { number }.eraseToSource()
            case .mapped: return number.map { $0 }
            case .flatMapped: return number.flatMap { .constant($0) }
            case .filtered: return number.removeDuplicates()
            case .combined: return number.combined(with: .constant(0)).map { $0 + $1 }
            case .mutable: return number.map { Mutable($0, set: .doNothing) }.nonmutating()
            case .connected:
                let source = ConnectableSource { number }.eraseToSource()
                source.value.disconnected?.connect()
                return source.map { $0.connected?.value ?? -1 }
            case .autoConnected: return ConnectableSource { number }.autoConnecting()
            case .decoded: shown = fetched.decoded { $0 }
            case .paired:
                shown = fetched.combinedFetch(with: .constant(.fetched(.init(0)))).mapFetchedValue(\.0)
            case .retried: shown = fetched.retrying(.interval(.seconds(1)), on: scheduler)
            case .refreshed: shown = fetched.refreshing(every: .seconds(60), on: scheduler)
            case .delayed: shown = fetched.fetchAfterDelay(of: .zero, on: scheduler)
            }
            return shown.map { $0.fetched?.value ?? -1 }
        }
    }

    @Test(
        "who subscribes, cancels, and subscribes again through a held source gets the present value and all that follow",
        arguments: Kind.allCases)
    func again(_ kind: Kind) {
        let (number, scheduler) = (Number(), TestScheduler())
        let source = kind.make(number.eraseToSource(), scheduler)
        func set(_ value: Int) {
            number.model = value
            scheduler.advance()
        }
        _ = source.value
        scheduler.advance()
        for round in 1...3 {
            let seen = Seen<Int>()
            let token = source.subscribe { seen.add($0) }
            set(round * 10)
            set(round * 10 + 1)
            token.cancel()
            // Nothing comes after that, and what changes meanwhile is there at the next subscription.
            set(round * 10 + 2)
            #expect(seen.values.suffix(2) == [round * 10, round * 10 + 1], "\(round)")
            #expect(seen.values.first == (round == 1 ? 0 : round * 10 - 8), "\(round)")
            #expect(seen.values.count == 3 && source.value == round * 10 + 2, "\(round)")
        }
    }

    @Test(
        "stored values are the present ones at a second subscription, too",
        arguments: PersistenceTests.Kind.allCases)
    func storedAgain(_ kind: PersistenceTests.Kind) throws {
        let storage = try PersistenceTests().storage(kind)
        let source = storage.source(for: .number)
        for round in 1...3 {
            let seen = Seen<Int?>()
            let token = source.subscribe { seen.add($0.found?.value) }
            storage.set(round, for: .number)
            token.cancel()
            source.value.found?.clear()
            if round == 2 { source.value.set(7) }
            #expect(seen.values == [round == 3 ? 7 : nil, round])
        }
        #expect(source.value.found == nil)
    }

    @Test(
        "a source that is awaited is released with its last holder, which ends the sequence",
        arguments: Kind.allCases)
    func releasedWhileAwaited(_ kind: Kind) async {
        let scheduler = TestScheduler()
        var number: Number? = Number()
        weak let owner = number
        var source = number.map { kind.make($0.eraseToSource(), scheduler) }
        number = nil
        _ = source?.value
        scheduler.advance()
        let seen = Seen<Int>()
        if let values = source?.values {
            source = nil
            for await value in values { seen.add(value) }
        }
        // The sequence has what was there, and ends as nothing can follow.
        #expect(seen.values.count <= 1 && owner == nil)
    }

    @Test("a source that is subscribed to is released with its last holder", arguments: Kind.allCases)
    func releasedWhileSubscribed(_ kind: Kind) {
        let scheduler = TestScheduler()
        var number: Number? = Number()
        weak let owner = number
        var source = number.map { kind.make($0.eraseToSource(), scheduler) }
        number = nil
        let token = source?.subscribe { _ in }
        scheduler.advance()
        source = nil
        scheduler.advance()
        #expect(owner == nil && scheduler.pendingCount == 0)
        token?.cancel()
    }

    @Test("a connection is released with its source, whoever has subscribed or has an action of it")
    func releasedWhileConnected() {
        for isSubscribed in [true, false] {
            let made = Threadsafe<Number?>(wrappedValue: nil)
            var source: Source? = ConnectableSource {
                let number = Number()
                made.wrappedValue = number
                return number.eraseToSource()
            }.eraseToSource()
            let connect = source?.value.disconnected?.connect
            connect?()
            weak let inner = made.wrappedValue
            made.wrappedValue = nil
            let disconnect = source?.value.connected?.disconnect
            let token = isSubscribed ? source?.subscribe { _ in } : nil
            #expect(inner != nil)
            source = nil
            #expect(inner == nil)
            var problems = 0
            disconnect? { _ in
                problems += 1
                return false
            }
            #expect(problems == 1)
            token?.cancel()
        }
    }

    @Test("a storage that a signal refreshes is released while the signal stays, also in the middle of it")
    func releasedWhileSignalled() throws {
        let fixture = try StorageFixture()
        let active = ActiveSource()
        for isSignalled in [true, false] {
            active.model = false
            var files: FilePersistence? = FilePersistence(
                folder: fixture.folder.url, on: fixture.scheduler, isActive: active.eraseToSource(),
                now: fixture.now)
            var source = files?.source(for: .number)
            _ = source?.value
            // It waits for its turn on the scheduler.
            if isSignalled { active.model = true }
            files = nil
            source = nil
            #expect(fixture.scheduler.pendingCount == (isSignalled ? 1 : 0))
            fixture.scheduler.advance()
            active.model = true
            fixture.scheduler.advance()
            #expect(fixture.scheduler.pendingCount == 0)
        }
        #expect(!active.state.subject.hasSubscribers)
    }

    @Test(
        "a synced value is released while a request, a retry or a signal is waited for",
        arguments: [0, 500, 5_000])
    func releasedWhileSynced(_ milliseconds: Int) {
        let (scheduler, server, active) = (TestScheduler(), NoteServer(), ActiveSource())
        server.isOffline.wrappedValue = milliseconds > 1_000
        let memory = MemoryPersistence(on: scheduler)
        var source: Source? = memory.synced(
            StorageKey("note"), with: server.storage, on: scheduler, isActive: active.eraseToSource())
        let token = source?.subscribe { _ in }
        scheduler.advance(by: .milliseconds(milliseconds))
        active.model = false
        active.model = true
        source = nil
        scheduler.advance()
        #expect(scheduler.pendingCount == 0 && !active.state.subject.hasSubscribers)
        let calls = server.calls.values.count
        scheduler.advance(by: .seconds(100))
        #expect(server.calls.values.count == calls)
        token?.cancel()
    }
}
