import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// Random sequences of all that can happen to fetches, against a plain model of them.
@Suite struct RandomFetchesTests {
    @Test(
        "two keys with pages, changes over both, sets, a network that goes, and restarts: as a plain model of them"
    )
    func sequences() {
        let first = firstSeed()
        for seed in first..<first &+ UInt64(rounds(200, stress: 10_000)) {
            let program = FetchProgram(seed: seed)
            if let difference = program.run() {
                Issue.record("seed \(seed): \(difference)")
                return
            }
        }
    }
}

/// A server of two lists, each in two pages of numbers. What it is asked waits until the program says how it ends.
private final class ListServer: Sendable {
    struct Call: Sendable {
        let name: String
        let settle: @Sendable (_ fails: Bool) -> Void
    }

    private let content = Lock((lists: [[1, 2], [11, 12]], calls: [Call]()))

    var calls: [String] { content.withLock { $0.calls.filter { $0.name != "" }.map(\.name) } }
    var lists: [[Int]] { content.withLock { $0.lists } }
    func update(_ change: (inout [[Int]]) -> Void) { content.withLock { change(&$0.lists) } }

    /// The value is that of the time when it is answered.
    func call<Value: Sendable>(_ name: String, _ value: @escaping @Sendable () -> Value) -> Promise<Value> {
        Promise { [self] resolver in
            let call = Call(name: name) { fails in
                if fails { resolver.reject(Offline()) } else { resolver.fulfill(value()) }
            }
            content.withLock { $0.calls.append(call) }
            resolver.onCancel { [self] in content.withLock { $0.calls.removeAll { $0.name == name } } }
        }
    }

    /// - Returns: The name of the call that was answered; nil if there is none.
    func answer(_ index: Int, fails: Bool) -> String? {
        let call = content.withLock { content in
            content.calls.indices.contains(index) ? content.calls.remove(at: index) : nil
        }
        call?.settle(fails)
        return call?.name
    }
}

/// A list in pages of one number.
private struct NumbersKey: PagesKey {
    let list: Int
    var path: [String] { ["lists", "\(list)"] }
    var options: FetchOptions { FetchOptions(timeLimit: nil) }
    var storageKey: StorageKey<Pages<Int, Int>>? { StorageKey("list \(list)") }
    let first = 0
    func fetchPage(at cursor: Int, from server: ListServer) -> Promise<Page<Int, Int>> {
        server.call("\(list).\(cursor)") {
            let numbers = server.lists[list]
            let items = cursor < numbers.count ? [numbers[cursor]] : []
            return Page(items, next: cursor + 1 < numbers.count ? cursor + 1 : nil)
        }
    }
}

/// What is shown of a list, as a plain program would compute it: the numbers of the server as they are known, and the
/// changes that are not answered.
private struct PlainList {
    /// The pages that are known, by their cursors; nil before the first answer.
    var pages: [[Int]]?
    /// What each change that is not answered adds to all numbers, in order.
    var changes: [Int] = []

    var shown: [Int]? { pages.map { pages in pages.flatMap { $0 }.map { $0 + changes.reduce(0, +) } } }
}

private final class FetchProgram {
    private var dice: SeededGenerator
    private let scheduler = TestScheduler()
    private let server = ListServer()
    private let online: System<Bool, Bool>
    private let memory: MemoryPersistence
    private var fetches: Fetches<ListServer>
    private var tokens: [SubscriptionToken] = []
    private let keys = [NumbersKey(list: 0), NumbersKey(list: 1)]
    private var lists = [PlainList(), PlainList()]
    /// The pages of a refresh that is running, of each list; nil if none is.
    private var refreshed: [[[Int]]?] = [nil, nil]
    private var log: [String] = []
    private var changes = 0
    /// What each change adds, and to which lists.
    private var added: [String: (amount: Int, lists: [Int])] = [:]

    init(seed: UInt64) {
        dice = SeededGenerator(seed: seed)
        online = System(initialState: true, scheduler: scheduler, reducer: Reducer { $0 = $1 })
        memory = MemoryPersistence(on: scheduler)
        fetches = Fetches(from: server, on: scheduler)
        start()
    }

    /// Starts the program, or starts it again: values are those that were stored, and what was on its way is lost.
    private func start() {
        tokens.forEach { $0.cancel() }
        fetches = Fetches(
            from: server, on: scheduler, isOnline: online.settled, storage: FetchStorage(memory, version: "1")
        )
        tokens = keys.map { fetches.source($0, freshFor: .seconds(1_000)).subscribe { _ in } }
        for list in lists.indices { (lists[list].changes, refreshed[list]) = ([], nil) }
        scheduler.advance()
    }

    func run() -> String? {
        defer { tokens.forEach { $0.cancel() } }
        for _ in 0..<30 {
            log.append(step())
            scheduler.advance()
            if let difference { return "\(difference)\n\(log.joined(separator: "\n"))" }
        }
        // At last, everything is answered.
        online.sendEvent(true)
        scheduler.advance()
        for _ in 0..<60 where !server.calls.isEmpty {
            log.append(answer(fails: false))
            scheduler.advance()
            if let difference { return "\(difference)\n\(log.joined(separator: "\n"))" }
        }
        let rest = keys.map { fetches.source($0).value }
        if rest.contains(where: { $0.isLoading }) || !lists.allSatisfy({ $0.changes.isEmpty }) {
            return
                "something hangs: \(rest.map { describe($0) { "\($0.items)" } })\n\(log.joined(separator: "\n"))"
        }
        return nil
    }

    private var difference: String? {
        for (key, list) in zip(keys, lists) {
            let shown = fetches.source(key).value.fetched?.items
            if shown != list.shown {
                return "list \(key.list): \(shown ?? []) and not \(list.shown ?? []), calls \(server.calls)"
            }
            if server.calls.filter({ $0.hasPrefix("\(key.list).") }).count > 1 {
                return "two requests of list \(key.list): \(server.calls)"
            }
        }
        return nil
    }

    // MARK: Steps

    private func step() -> String {
        let list = Int.random(in: 0...1, using: &dice)
        switch Int.random(in: 0..<12, using: &dice) {
        case 0:
            fetches.fetchNextPage(of: keys[list])
            return "next page of \(list)"
        case 1: return change([list])
        case 2: return change(Bool.random(using: &dice) ? [0, 1] : [1, 0])
        case 3: return set(list)
        case 4:
            fetches.invalidate(keys[list])
            return "invalidate \(list)"
        case 5:
            let isOnline = Bool.random(using: &dice)
            online.sendEvent(isOnline)
            return isOnline ? "online" : "offline"
        case 6:
            if Int.random(in: 0..<3, using: &dice) > 0 { return "-" }
            start()
            return "restart"
        default: return answer(fails: Int.random(in: 0..<4, using: &dice) == 0)
        }
    }

    private func change(_ numbers: [Int]) -> String {
        changes += 1
        let (name, amount) = ("change \(changes)", 100 * changes)
        added[name] = (amount, numbers)
        for number in numbers { lists[number].changes.append(amount) }
        let values = numbers.map { number in
            ValueChange<ListServer, Int>(
                keys[number], optimistic: { $0.updateItems { $0 += amount } },
                applying: { pages, answer in pages.updateItems { $0 += answer } })
        }
        fetches.change(values) { [server] in
            server.call(name) {
                server.update { all in for number in numbers { all[number] = all[number].map { $0 + amount } }
                }
                return amount
            }
        }.catch { _ in }
        return "\(name) of \(numbers)"
    }

    /// The server has changed something, and says what there is now of the pages that are known.
    private func set(_ list: Int) -> String {
        server.update { $0[list] = $0[list].map { $0 + 1 } }
        fetches.set(keys[list]) { $0?.updateItems { $0 += 1 } }
        lists[list].pages = lists[list].pages?.map { $0.map { $0 + 1 } }
        if lists[list].pages != nil { refreshed[list] = nil }
        return "set \(list)"
    }

    private func answer(fails: Bool) -> String {
        let calls = server.calls
        guard !calls.isEmpty else { return "-" }
        let index = Int.random(in: 0..<calls.count, using: &dice)
        guard let name = server.answer(index, fails: fails) else { return "-" }
        if let change = added[name] {
            for list in change.lists { end(change.amount, of: list, fails: fails) }
        } else {
            let parts = name.split(separator: ".").compactMap { Int($0) }
            page(parts[1], of: parts[0], fails: fails)
        }
        return "\(name) \(fails ? "fails" : "is answered")"
    }

    private func end(_ amount: Int, of list: Int, fails: Bool) {
        lists[list].changes.removeAll { $0 == amount }
        if fails { return }
        lists[list].pages = lists[list].pages?.map { $0.map { $0 + amount } }
    }

    /// What is known of a list is what it was before, with a page more or with all pages again.
    private func page(_ cursor: Int, of list: Int, fails: Bool) {
        if fails { return refreshed[list] = nil }
        let numbers = server.lists[list]
        let page = cursor < numbers.count ? [numbers[cursor]] : []
        let isNext = cursor > 0 && refreshed[list] == nil && lists[list].pages?.count == cursor
        if isNext { return lists[list].pages?.append(page) ?? () }
        let all = (cursor == 0 ? [] : refreshed[list] ?? []) + [page]
        if all.count < lists[list].pages?.count ?? 1 {
            refreshed[list] = all
        } else {
            (lists[list].pages, refreshed[list]) = (all, nil)
        }
    }
}
