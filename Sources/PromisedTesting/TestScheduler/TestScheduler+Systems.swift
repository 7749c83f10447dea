import Promise
import PromisedSystem

extension TestScheduler {
    struct SystemReference: Sendable {
        weak let system: (any ExploredSystem)?
    }

    /// Keeps a reference to a system, to name its work in failures.
    func add(_ system: any ExploredSystem) {
        let old = state.withLock { state in
            state.systems.append(SystemReference(system: system))
            guard state.systems.count >= state.sweepSystemsAt else { return [SystemReference]() }
            defer { state.systems = [] }
            return state.systems
        }
        guard !old.isEmpty else { return }
        // Outside of the lock: the system may be released here.
        let living = old.filter { $0.system != nil }
        state.withLock { state in
            state.systems = living + state.systems
            state.sweepSystemsAt = max(64, 2 * state.systems.count)
        }
    }

    /// The work of the systems on this scheduler, and open `async` work, each as a sentence.
    var runningWork: [String] {
        state.withLock { $0.systems }.compactMap(\.system).flatMap(\.runningWork).map(\.text)
            + openAsyncWork.map { "The async work made at \($0) is still open." }
    }
}

extension RunningWork {
    /// A sentence about the work and its state.
    var text: String {
        switch self {
        case .transition(let event, let origin):
            "The transition of \(event), sent at \(origin), is still running."
        case .effect(let key, let origin, _): "\(Self.name(key, origin)) is still running."
        case .waiting(let key, let origin, _): "\(Self.name(key, origin)) has not started yet."
        case .event(let event, let origin): "The event \(event), sent at \(origin), is still queued."
        }
    }

    private static func name(_ key: EffectKey?, _ origin: Origin) -> String {
        key.map { "The effect \($0), requested at \(origin)," }
            ?? "The work of the feedback made at \(origin)"
    }
}
