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
        state.withLock { $0.systems }.compactMap(\.system).flatMap(\.running).compactMap(\.text)
            + openAsyncWork.map { "The async work made at \($0) is still open." }
    }
}

extension Running {
    /// A sentence about what has to be over at the end of a test; nil for a call, for which its stub fails the test, for
    /// the timer of other work, and if another thread is at work.
    var text: String? {
        switch kind {
        case .transition: "The transition of \(name ?? ""), sent at \(origin), is still running."
        case .effect: "\(effectName) is still running."
        case .pendingEffect: "\(effectName) has not started yet."
        case .pendingEvent, .delayedEvent: "The event \(name ?? ""), sent at \(origin), is still queued."
        case .timeLimit, .timer, .call, .busy: nil
        }
    }

    private var effectName: String {
        key.map { "The effect \($0), requested at \(origin)," }
            ?? "The work of the feedback made at \(origin)"
    }
}
