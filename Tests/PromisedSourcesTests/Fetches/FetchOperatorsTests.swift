import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// The operators on a source of fetches, of which each passes on what the source shows.
@Suite struct FetchOperatorsTests {
    struct NumberKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<Int> { server.answer("").map { _ in 10 } }
    }

    /// A number that can't be compared.
    struct Opaque: Sendable {
        let number: Int
    }

    struct OpaqueKey: FetchKey {
        func fetch(from server: CityServer) -> Promise<Opaque> {
            server.answer("").map { _ in Opaque(number: 10) }
        }
    }

    enum Operator: String, CaseIterable, Sendable {
        case decoded, combinedLeft, combinedRight, persisted, refreshing, retrying, later

        func applied(to source: Source<Fetchable<Int>>, _ server: CityServer) -> Source<Fetchable<Int>> {
            let zero = Source<Fetchable<Int>>.constant(.fetched(.init(0)))
            return switch self {
            case .decoded: source.decoded { (number: Int) in number }
            case .combinedLeft: source.combinedFetch(with: zero).map { pair in pair.map(\.0) }
            case .combinedRight: zero.combinedFetch(with: source).map { pair in pair.map(\.1) }
            case .persisted:
                source.persisted(
                    using: MemoryPersistence(on: server.scheduler).source(for: StorageKey("number")))
            case .refreshing: source.refreshing(every: .seconds(1_000_000), on: server.scheduler)
            case .retrying: source.retrying(.interval(.seconds(1_000_000)), on: server.scheduler)
            case .later: source.fetchAfterDelay(of: .zero, on: server.scheduler)
            }
        }
    }

    @Test(
        "guesses, their answers and values that are set are passed on by each operator",
        arguments: Operator.allCases)
    func changes(applied: Operator) {
        let fetches = server.fetches
        let source = applied.applied(to: fetches.source(NumberKey()), server)
        let observer = server.observe(source)
        server.scheduler.advance(by: .seconds(1))
        _ = observer.take()
        fetches.change(
            NumberKey(), optimistic: { $0 += 1 }, by: { [server] in server.answer("").map { _ in 5 } },
            applying: +=)
        server.scheduler.advance()
        #expect(observer.take().last == "11")
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take().last == "15")
        fetches.set(7, for: NumberKey())
        server.scheduler.advance()
        #expect(observer.take().last == "7")
        fetches.invalidate(NumberKey())
        server.scheduler.advance()
        fetches.change(
            NumberKey(), optimistic: { $0 += 1 }, by: { [server] in server.answer("").map { _ in 5 } },
            applying: +=)
        server.scheduler.advance()
        // During a refresh.
        #expect(observer.take().last == "8…")
        observer.end()
    }

    let server = CityServer()

    @Test(
        "a value that can't be compared is stored when it is guessed, answered and set, and not when it is refreshed"
    )
    func opaque() {
        let fetches = server.fetches
        let storage = MemoryPersistence(on: server.scheduler)
        let stored = storage.source(for: StorageKey<Opaque>("opaque"))
        let written = Seen<Int>()
        let token = stored.subscribe { if let value = $0.found?.value { written.add(value.number) } }
        let source = fetches.source(OpaqueKey()).persisted(using: stored)
        let observer = server.observe(source) { "\($0.number)" }
        server.scheduler.advance(by: .seconds(1))
        fetches.change(
            OpaqueKey(), optimistic: { $0 = Opaque(number: 11) },
            by: { Promise.value(Opaque(number: 12)).delay(.seconds(1)) })
        server.scheduler.advance(by: .seconds(1))
        fetches.set(Opaque(number: 13), for: OpaqueKey())
        server.scheduler.advance()
        #expect(written.values == [10, 11, 12, 13])
        server.fail()
        fetches.invalidate(OpaqueKey())
        server.scheduler.advance(by: .seconds(1))
        #expect(written.values == [10, 11, 12, 13])
        #expect(observer.take() == ["…", "10", "11", "12", "13", "13…", "13!"])
        observer.end()
        token.cancel()
    }

    @Test("a value of which nothing is known is stored whenever it is up to date")
    func unknown() {
        let input = MutableSource(Fetchable<Int>.fetched(.init(1)))
        let storage = MemoryStorage(nil)
        let source = input.eraseToSource().nonmutating().persisted(using: storage.eraseToSource())
        let observer = server.observe(source)
        input.model.set(.fetched(.init(2)))
        input.model.set(.fetched(.init(2, isRefreshing: true)))
        input.model.set(.fetched(.init(3)))
        #expect(storage.written.values == [1, 2, 3] && observer.take() == ["1", "2", "2…", "3"])
        observer.end()
    }

    // MARK: Random sequences

    @Test("the operators show what the source shows, whatever happens to it")
    func random() {
        let first = firstSeed()
        for seed in first..<first &+ UInt64(rounds(200, stress: 10_000)) {
            var program = OperatorProgram(seed: seed)
            if let difference = program.run() {
                Issue.record("seed \(seed): \(difference)")
                return
            }
        }
    }
}

/// A random sequence of what can happen to a key, with an observer of each operator.
private struct OperatorProgram {
    private var dice: SeededGenerator

    init(seed: UInt64) { dice = SeededGenerator(seed: seed) }

    mutating func run() -> String? {
        let server = CityServer()
        let (fetches, key) = (server.fetches, FetchOperatorsTests.NumberKey())
        let source = fetches.source(key)
        let observed = FetchOperatorsTests.Operator.allCases.map { applied in
            let made = applied.applied(to: source, server)
            return (name: applied.rawValue, source: made, token: made.subscribe { _ in })
        }
        server.scheduler.advance(by: .seconds(1))
        var log: [String] = []
        for _ in 0..<12 {
            log.append(step(fetches, key, server))
            server.scheduler.advance()
            let expected = source.value.fetched?.value
            for (name, made, _) in observed where made.value.fetched?.value != expected {
                return "\(name): \(describe(made.value) { "\($0)" }) and not \(expected ?? 0): \(log)"
            }
        }
        return nil
    }

    private mutating func step(
        _ fetches: Fetches<CityServer>, _ key: FetchOperatorsTests.NumberKey, _ server: CityServer
    ) -> String {
        let number = Int.random(in: 1...9, using: &dice)
        switch Int.random(in: 0..<8, using: &dice) {
        case 0:
            fetches.change(
                key, optimistic: { $0 += number }, by: { server.answer("").map { _ in 100 + number } },
                applying: +=
            ).catch { _ in }
            return "change \(number)"
        case 1:
            fetches.change(key, optimistic: { $0 = number }, by: { server.answer("").map { _ in number } })
                .catch { _ in }
            return "change to \(number)"
        case 2:
            fetches.set(number, for: key)
            return "set \(number)"
        case 3:
            fetches.set(key) { $0? += number }
            return "set by \(number)"
        case 4:
            fetches.invalidate(key)
            return "invalidate"
        case 5:
            server.fail(number > 6)
            return number > 6 ? "fails" : "answers"
        default:
            server.scheduler.advance(by: .milliseconds(100 * number))
            return "\(number)00 ms"
        }
    }
}
