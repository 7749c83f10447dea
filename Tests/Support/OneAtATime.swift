package import Testing

/// Runs tests that keep several threads busy one after the other, concurrently with all other tests: together they
/// would only compete for time.
package struct OneAtATime: SuiteTrait, TestTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite as a whole has nothing to wait for.
        guard testCase != nil else { return try await function() }
        await Queue.shared.enter()
        do {
            try await function()
        } catch {
            await Queue.shared.leave()
            throw error
        }
        await Queue.shared.leave()
    }

    private actor Queue {
        static let shared = Queue()

        private var isBusy = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func enter() async {
            guard isBusy else {
                isBusy = true
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func leave() {
            if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
        }
    }
}

extension Trait where Self == OneAtATime {
    /// Not while another test of this trait is running.
    package static var oneAtATime: Self { OneAtATime() }
}
