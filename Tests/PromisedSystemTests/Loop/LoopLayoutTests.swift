import Testing

@testable import PromisedSystem

/// What a probe needs must not make events and turns larger.
@Suite struct LoopLayoutTests {
    @Test("The number of an event fits beside the time at which it was sent")
    func sizes() {
        #expect(MemoryLayout<SendMark?>.stride == MemoryLayout<Duration?>.stride)
        #expect(MemoryLayout<LoopMachine<Int, Int>.PendingEvent>.size == 64)
        #expect(MemoryLayout<LoopMachine<Int, Int>.Turn>.size == 73)
    }
}
