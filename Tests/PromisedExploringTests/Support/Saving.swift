import PromisedExploring
import PromisedSystem

/// A document that is saved, correctly or with a fault.
enum Saving {
    enum State: Hashable, Sendable {
        case clean, saving, saved(Int), failed
    }

    enum Event: Hashable, Sendable {
        case save, cancel
    }

    struct Full: Error, CustomStringConvertible {
        var description: String { "disk full" }
    }

    enum Fault: Sendable {
        case none
        /// A failed save settles on the state that may only be shown while loading.
        case keepsSpinner
        /// The disk may never answer.
        case neverAnswers
    }

    static func explorer(_ fault: Fault = .none) -> Explorer<State, Event> {
        Explorer(events: [.save, .cancel]) { world in
            world.wheneverSettled("saving is only shown meanwhile") { $0 != .saving }
            let disk = world.variable(0)
            return System(
                initialState: .clean, scheduler: world.scheduler,
                configuration: .init(eventPolicy: { $0 == .cancel ? .replace : .queue })
            ) { _, event in
                guard event == .save else { return .value(.clean) }
                var outcomes: [PromisedExploring.Outcome<Int>] = [
                    .result("done") {
                        disk.value = min(disk.value + 1, 2)
                        return disk.value
                    }, .error(Full()),
                ]
                if case .neverAnswers = fault { outcomes.append(.never) }
                return world.call("disk", outcomes).map { .saved($0) }
                    .mapErrorRecover { _ in
                        if case .keepsSpinner = fault { .saving } else { .failed }
                    }
                    .stateWhenLoading(.saving)
            }
        }
    }
}
