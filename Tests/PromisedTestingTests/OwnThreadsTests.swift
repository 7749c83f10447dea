import TestSupport
import Testing

/// The trait of tests that must not queue behind others.
@Suite(.ownThreads) struct OwnThreadsTests {
    @Test("a test in a suite with the trait does not run in Swift's cooperative pool")
    func executor() async {
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        #expect(executor != nil)
    }
}
