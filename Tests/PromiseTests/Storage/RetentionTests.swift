import Foundation
import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// What a promise retains, and that it is released: labels, counters, cycles.
@Suite(.ownThreads) struct RetentionTests {
    #if os(Linux)
        @Test("R7: a label is released with its promise") func labels() async {
            await #expect(processExitsWith: .success) {
                func resident() -> Int {
                    let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
                        separator: " ")
                    return (pages.flatMap { Int($0[1]) } ?? 0) * 4096
                }
                func makeAndDrop(_ number: Int) {
                    let label =
                        String(repeating: String(repeating: "x", count: 1 << 10), count: 1 << 10)
                        + "\(number)"
                    _ = Promise<Int>(label: label) { _ in }
                    _ = Promise<Int>(label: label) { () async throws in 1 }
                    _ = Promise<Int>.pending(label: label)
                }
                makeAndDrop(0)
                let before = resident()
                for number in 1...100 { makeAndDrop(number) }
                exit(resident() - before < 20 << 20 ? 0 : 1)
            }
        }
    #endif

    @Test("R17: one cancellation among 8,388,609 handlers does not cancel the work") func manyHandlers() {
        let (promise, resolver) = Promise<Int>.pending()
        // Counts as many handlers, without attaching them.
        promise.storage.count(interest: 8_388_608)
        let handled = promise.map { $0 }.start()
        handled.cancel()
        #expect(!resolver.isCancelled)
    }

    @Test(
        "R17: with very many live handlers, cancelled ones are released before their counter overflows"
    )
    func manyCancelledHandlers() {
        let (promise, resolver) = Promise<Int>.pending()
        let storage = promise.storage
        // Counts as many attached and cancelled handlers, without attaching any.
        storage.count(interest: 8_388_608)
        storage.count(cancelledHandlers: 0x3FFFE)
        promise.done { _ in }.cancel()
        #expect(storage.state.cancelledHandlers == 0x3FFFF)
        promise.done { _ in }.cancel()
        // The two cancelled handlers were released.
        #expect(storage.state.cancelledHandlers == 0x3FFFE)
        resolver.fulfill(1)
    }

    @Test("after a value was destroyed, the thread is no longer marked as destroying")
    func destroying() {
        for _ in 0..<2 {
            _ = Promise.value(Token()).map { $0 }.start()
            #expect(!Trampoline.current.state.pointee.isDestroying)
        }
    }

    @Test(
        "promises that wait for each other in a cycle end by a timeout, or when one is cancelled"
    )
    func circles() {
        for isCancelled in [true, false] {
            weak var token: Token?
            let scheduler = TestScheduler()
            let results: [Result<Int, any Error>?]
            do {
                let held = Token()
                token = held
                let (gate, open) = Promise<Int>.pending()
                let others = Box<Promise<Int>>()
                let first = gate.flatMap { _ in
                    withExtendedLifetime(held) {}
                    return others.value ?? .value(0)
                }
                let second = gate.flatMap { _ in first }
                others.value = isCancelled ? second : second.timeout(.seconds(1))
                first.start(on: scheduler)
                second.start(on: scheduler)
                open.fulfill(1)
                #expect(first.result == nil)
                if isCancelled { second.cancel() } else { scheduler.advance(by: .seconds(1)) }
                results = [first.result, second.result]
                others.value = nil
            }
            #expect(results.allSatisfy { $0?.error != nil })
            #expect(token == nil)
        }
    }
}
