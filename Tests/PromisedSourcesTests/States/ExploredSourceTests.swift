import Promise
import PromisedExploring
import PromisedSources
import PromisedSystem
import TestSupport
import Testing

/// The model of a source is in no configuration, so an exploration in which one is set is not complete.
@Suite struct ExploredSourceTests {
    final class Shelf: StateSource {
        let state = SourceState<Int>()
        let initialModel = 0
    }

    struct Counter: Sendable {
        let count: Int
        let add: Action<Int>
    }

    enum Use: CaseIterable { case set, update, mutable, built, progress, outside, read, beforeThePath }

    private static let outside = Shelf()

    private static func build(_ use: Use) -> @Sendable (World<Int>) -> System<Int, Int> {
        { world in
            let (shelf, mutable) = (Shelf(), MutableSource(0))
            let progress = ProgressSource(total: 3)
            let counter = BuiltSource(0) { count, offer in
                Counter(count: count, add: offer("add") { $0 = ($0 + $1) % 3 })
            }.eraseToSource()
            if use == .beforeThePath { shelf.model = 2 }
            return System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = max($0, $1) },
                feedbacks: [
                    .onEvent({ $0 == 1 ? $0 : nil }) { (_: Int) in
                        Effect<Int>.fireAndForget {
                            switch use {
                            case .set: shelf.model = 1
                            case .update: shelf.update { $0 = 1 }
                            case .mutable: mutable.model.set(1)
                            case .built: counter.value.add(1)
                            case .progress: progress.report(FetchProgress(completed: 1, total: 3))
                            case .outside: Self.outside.model = 1
                            case .read, .beforeThePath: _ = shelf.model
                            }
                        }
                    }
                ])
        }
    }

    @Test("one that is set on a path is a gap, one that is only read is none", arguments: Use.allCases)
    func gaps(_ use: Use) {
        let found = Explorer(events: [1], build: Self.build(use)).explore(depth: 10)
        let isSet = use != .read && use != .beforeThePath
        #expect(
            found.gaps.contains { "\($0)".contains("which is in no configuration") } == isSet, "\(found.gaps)"
        )
        #expect(found.isComplete == !isSet, "\(found)")
    }

    @Test("work that reads a mapped source with a subscriber remembers what it has read")
    func mapped() {
        let explorer = Explorer<Int, Int>(events: [8]) { world in
            let session = System<Int, Int>(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = $1 })
            for user in 0...1 { world.action("user \(user)") { session.sendEvent(user) } }
            let mapped = session.settled.map { $0 + 0 }
            let token = mapped.subscribe { _ in }
            return System(
                initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = max($0, $1) },
                feedbacks: [
                    .onEvent({ $0 == 8 ? true : nil }, policy: .drop) { (_: Bool) in
                        world.call("first", .value(0)).flatMap { _ in
                            let seen = withExtendedLifetime(token) { mapped.value }
                            return world.call("second", .value(0)).map { _ in 10 + seen }
                        }
                    }
                ])
        }
        #expect(
            Set(explorer.explore(depth: 5).states)
                == Set(explorer.explore(depth: 5, .init(merging: .none)).states))
    }
}
