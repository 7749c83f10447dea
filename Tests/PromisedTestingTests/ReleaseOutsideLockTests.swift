import Foundation
import Promise
import PromisedSystem
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// The user's values are released, compared and printed outside of every lock, because their code may call back. Inside
/// a lock that would deadlock, so each of these tests runs in its own process, which an alarm ends.
@Suite(.ownThreads) struct ReleaseOutsideLockTests {
    @Test("printing the inputs of a stub can read the calls of the stub")
    func printed() async {
        await #expect(processExitsWith: .success) {
            alarm(20)
            let stub = Stub<Text, Int>("price")
            let call = stub(Text { [weak stub] in "\(stub?.calls.count ?? 0) of them" }).start()
            let told = failures { stub.finish() }
            exit(told.first?.contains("1. 1 of them: open") == true ? withExtendedLifetime(call) { 0 } : 1)
        }
    }

    @Test(
        "printing and comparing what is left of a tested system can run the system",
        arguments: Look.allCases)
    private func tested(look: Look) async {
        await #expect(processExitsWith: .success) { [look] in
            alarm(20)
            let prints = Atomic(0)
            let scheduler = TestScheduler()
            let system = System<Text, Text>(initialState: Text { "first" }, scheduler: scheduler) {
                .value($1)
            }
            let test = TestSystem(system, on: scheduler)
            // A part is compared with its expected value before it is looked up in the states.
            let printed = look == .atPart ? 3 : 1
            let text = Text {
                if prints.wrappingAdd(1, ordering: .relaxed).newValue == printed {
                    system.sendEvent(Text { "second" })
                    scheduler.advance()
                }
                return "text"
            }
            system.sendEvent(text)
            scheduler.advance()
            prints.store(0, ordering: .relaxed)
            _ = failures {
                switch look {
                case .atEvents: test.exhaustivity = .events
                case .atStates: test.exhaustivity = .states
                case .atPart: test.assert(\.itself, text)
                }
                test.finish()
            }
            exit(system.state.description == "second" ? 0 : 1)
        }
    }

    private enum Look: String, CaseIterable, Codable { case atEvents, atStates, atPart }
}

/// Its description is what a closure returns; compared by that.
private struct Text: Sendable, Equatable, CustomStringConvertible {
    let print: @Sendable () -> String

    var description: String { print() }

    var itself: Text {
        get { self }
        set { self = newValue }
    }

    static func == (left: Text, right: Text) -> Bool { left.description == right.description }
}
