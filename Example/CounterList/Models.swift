import Foundation
import PromisedModels

/// A list of counters. The sum of all is shown, and a fact about a number, in a prompt, if the client knows one.
struct AppModel: Model {
    struct State: Hashable {
        var counters: [CounterRowModel.State] = []
        var factPrompt: FactPromptModel.State?
        var sum: Int { counters.reduce(0) { $0 + $1.counter.count } }
    }

    let context: ModelContext<AppModel>
    static let children: [Child<AppModel>] = [
        .each(\.counters, CounterRowModel.self), .optional(\.factPrompt, FactPromptModel.self),
    ]
    private var state: ModelState<Self> { context.state }

    var counters: [CounterRowModel] { children(\.counters) }
    var factPrompt: FactPromptModel? { optionalChild(\.factPrompt) }

    func onActivate() {
        forEach(events(from: \.counters, CounterRowModel.self)) { _, row in
            state.counters.removeAll { $0.id == row.id }
        }
        forEach(events(fromType: CounterModel.self)) { event, _ in
            guard case .onFact(let count, let fact) = event else { return }
            state.factPrompt = .init(count: count, fact: fact)
        }
        forEach(events(of: .onDismiss, from: \.factPrompt, FactPromptModel.self)) { _ in
            state.factPrompt = nil
        }
    }

    func addButtonTapped() { state.counters.append(.init(id: dependency(\.uuid)())) }
}

struct CounterRowModel: Model {
    struct State: Hashable, Identifiable {
        let id: UUID
        var counter = CounterModel.State()
    }
    enum Event: Equatable { case onRemove }

    let context: ModelContext<CounterRowModel>
    static let children: [Child<CounterRowModel>] = [.one(\.counter, CounterModel.self)]

    var counter: CounterModel { child(\.counter) }

    func removeButtonTapped() { send(.onRemove) }
}

struct CounterModel: Model {
    struct Alert: Hashable { let title: String, message: String }
    struct State: Hashable {
        var count = 0
        var alert: Alert?
    }
    enum Event: Equatable { case onFact(Int, String) }

    let context: ModelContext<CounterModel>
    private var state: ModelState<Self> { context.state }

    func decrementTapped() { state.count -= 1 }
    func incrementTapped() { state.count += 1 }
    func alertDismissed() { state.alert = nil }

    func factButtonTapped() {
        task {
            // The number that was asked for: it may be another one when the fact arrives.
            let count = state.count
            send(.onFact(count, try await dependency(FactClientKey.self).fetch(count)))
        } catch: { _ in
            state.alert = Alert(title: "Error", message: "Couldn't load fact.")
        }
    }
}

struct FactPromptModel: Model {
    struct State: Hashable, Identifiable {
        let count: Int
        var fact: String
        var isLoading = false
        // Another number is another prompt: the next fact about the one before does not arrive in it.
        var id: Int { count }
    }
    enum Event: Equatable { case onDismiss }

    let context: ModelContext<FactPromptModel>
    private var state: ModelState<Self> { context.state }

    func dismissTapped() { send(.onDismiss) }

    func getFactButtonTapped() {
        guard !state.isLoading else { return }
        state.isLoading = true
        task {
            defer { state.isLoading = false }
            state.fact = try await dependency(FactClientKey.self).fetch(state.count)
        } catch: { _ in
        }
    }
}
