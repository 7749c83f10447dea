import Promise
import PromisedModels
import Synchronization

/// The models of the random programs: a tree of branches, each of which hears numbers.
struct Branch: Model {
    struct State: Equatable, Identifiable {
        var id: Int
        var count = 0
        var branches: [Branch.State] = []
    }
    let context: ModelContext<Branch>
    static let children: [Child<Branch>] = [.each(\.branches, Branch.self)]
    var state: ModelState<Self> { context.state }
    var branches: [Branch] { children(\.branches) }

    func onActivate() {
        let (journal, id) = (dependency(JournalKey.self), context.state.id)
        forEach(events(ofType: Int.self)) { journal.add($0, to: .heard, of: id) }
    }

    /// Waits for an answer, acts, and cleans up.
    func work(_ work: Work) -> Cancellable {
        let parent = work.parent.flatMap(\.model)
        return task {
            defer { if work.cleansUp { cleanUp { state.count += 100 } } }
            if work.isStubborn { _ = await stubborn(work.answer) } else { _ = try await work.answer.value }
            switch work.act {
            case .write: state.count += 1
            case .above: parent?.state.count += 10
            case .send(let number): send(number)
            }
        }
    }

    /// What a task does.
    struct Work: Sendable {
        enum Act: Sendable { case write, above, send(Int) }
        let act: Act
        let isStubborn: Bool
        let cleansUp: Bool
        let answer: Promise<Int>
        let parent: ModelReference<Branch>?
    }
}

/// What the branches note.
final class Journal: Sendable {
    enum Kind: Hashable { case heard, changes }
    private struct Key: Hashable {
        let kind: Kind
        let id: Int
    }
    private let entries = Mutex<[Key: [Int]]>([:])

    func add(_ number: Int, to kind: Kind, of id: Int) {
        entries.withLock { $0[Key(kind: kind, id: id), default: []].append(number) }
    }

    func entries(_ kind: Kind, of id: Int) -> [Int] { entries.withLock { $0[Key(kind: kind, id: id)] ?? [] } }
    var count: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}

enum JournalKey: DependencyKey {
    static var liveValue: Journal { Journal() }
}
