import PromisedExploring
import PromisedModels
import PromisedModelsTesting
import PromisedSystem

/// A model that counts, and that asks for a text with a task; a later question replaces it.
struct Asked: Model {
    struct State: Hashable {
        var count: UInt8 = 0
        var text = ""
    }

    enum Call: Hashable { case count, ask }

    enum Question: DependencyKey {
        static var liveValue: @Sendable () -> Promise<String> { { .value("") } }
    }

    let context: ModelContext<Asked>

    func perform(_ call: Call) {
        switch call {
        case .count: context.state.count = (context.state.count + 1) % 20
        case .ask:
            task {
                context.state.text = try await dependency(Question.self)().value
            } catch: { _ in
                context.state.text = ""
            }
            .cancel(for: "ask", cancelInFlight: true)
        }
    }

    static func explorer(onBuild: @escaping @Sendable () -> Void = {}) -> Explorer<State, Call?> {
        Explorer(events: [.count, .ask]) { world in
            onBuild()
            let store = Store<Asked>(initialState: .init(), scheduler: world.scheduler) {
                $0[Question.self] = { world.call("text", .value("found"), .error(Counters.Full())) }
            }
            return world.driving(store) { call, model in model.perform(call) }
        }
    }
}
