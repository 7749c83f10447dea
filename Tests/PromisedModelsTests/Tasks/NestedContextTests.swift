import PromisedModels
import PromisedTesting
import Testing

/// Nested cancellation contexts are cancelled from the outside in, and from the inside out.
struct NestedContextTests {
    enum Item: CaseIterable { case hook, task, sequence, latest, change, nestedTask }
    enum Nesting: CaseIterable { case values, types, mixed, asynchronous, three }
    private enum Outer {}
    private enum Inner {}

    /// Begins something that notes its end, or that goes on.
    private func begin(_ item: Item, _ name: String, _ counter: Counter, _ notes: Notes) {
        let clock = counter.dependency(\.clock)
        let work: @Sendable () async throws -> Void = {
            do { try await clock.sleep(for: .seconds(60)) } catch { notes.add("\(name) ended") }
        }
        switch item {
        case .hook: counter.onCancel { notes.add("\(name) ended") }
        case .task: counter.task { try await work() }
        case .sequence: counter.forEach(counter.values(of: \.other)) { _ in try await work() }
        case .latest:
            counter.forEach(counter.values(of: \.other), cancelPrevious: true) { _ in try await work() }
        case .change: counter.onChange(of: \.count) { _ in notes.add("\(name) goes on") }
        case .nestedTask: counter.task { counter.task { try await work() } }
        }
    }

    private func nest(
        _ nesting: Nesting, _ counter: Counter, _ outer: @escaping @Sendable () -> Void,
        _ inner: @escaping @Sendable () -> Void
    ) {
        switch nesting {
        case .values:
            counter.withCancellationContext(for: "outer") {
                outer()
                counter.withCancellationContext(for: "inner", inner)
            }
        case .types:
            counter.withCancellationContext(for: Outer.self) {
                outer()
                counter.withCancellationContext(for: Inner.self, inner)
            }
        case .mixed:
            counter.withCancellationContext(for: "outer") {
                outer()
                counter.withCancellationContext(for: Inner.self, inner)
            }
        case .asynchronous:
            counter.task {
                await counter.withCancellationContext(for: "outer") {
                    await Task.yield()
                    outer()
                    await counter.withCancellationContext(for: "inner") {
                        await Task.yield()
                        inner()
                    }
                }
            }
        case .three:
            counter.withCancellationContext(for: "outer") {
                outer()
                counter.withCancellationContext(for: 2) {
                    counter.withCancellationContext(for: "inner", inner)
                }
            }
        }
    }

    @Test("OS-35: the outer key first, and the inner key first", arguments: Item.allCases, Nesting.allCases)
    func orders(item: Item, nesting: Nesting) {
        for isOuterFirst in [true, false] {
            let fixture = Fixture<Counter>(.init())
            let (counter, notes) = (fixture.model, fixture.notes)
            nest(
                nesting, counter, { begin(item, "outer", counter, notes) },
                { begin(item, "inner", counter, notes) })
            fixture.scheduler.advance()
            let outer = {
                (nesting == .types ? counter.cancelAll(for: Outer.self) : counter.cancelAll(for: "outer"))
            }
            let inner = {
                [.types, .mixed].contains(nesting)
                    ? counter.cancelAll(for: Inner.self) : counter.cancelAll(for: "inner")
            }
            let first = ended(item, fixture, isOuterFirst ? outer : inner)
            let second = ended(item, fixture, isOuterFirst ? inner : outer)
            #expect(first == (isOuterFirst ? ["inner", "outer"] : ["inner"]))
            #expect(second == (isOuterFirst ? [] : ["outer"]))
        }
    }

    /// What a step ends.
    private func ended(_ item: Item, _ fixture: Fixture<Counter>, _ step: () -> Void) -> [String] {
        func living() -> Set<String> {
            Set(
                fixture.after { $0.increment() }.compactMap {
                    $0.split(separator: " ").first.map(String.init)
                })
        }
        guard item == .change else {
            return fixture.after { _ in step() }.compactMap {
                $0.split(separator: " ").first.map(String.init)
            }.sorted()
        }
        let before = living()
        step()
        fixture.scheduler.advance()
        return before.subtracting(living()).sorted()
    }
}
