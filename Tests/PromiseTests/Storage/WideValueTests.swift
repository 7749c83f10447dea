import Promise
import TestSupport
import Testing

/// These stacks hold eight copies of the value, and user code needs two or three. An operator that needed
/// more than a few would overflow the stack.
@Suite(.tags(.noSharedState)) struct WideValueTests {
    private struct Refused: Error {}

    @Test("A value of 64 KiB passes every operator on a stack of 512 KiB")
    func words() { passAll(KiB64.self, stack: 512 << 10) }

    @Test("A value of 64 KiB with objects in it passes every operator on a stack of 512 KiB")
    func objects() { passAll(KiB64Objects.self, stack: 512 << 10) }

    @Test("A value of 1 MiB passes every operator on a stack of 8 MiB, as a main thread has")
    func megabyte() { passAll(MiB.self, stack: 8 << 20) }

    private func passAll<Value: WideValue>(_: Value.Type, stack: Int) {
        let template = Template(Value.self, stamp: 3)
        for (name, make) in Self.ways(template) {
            let stamps = Log()
            _ = onThreads(stack: stack) { _ = make().done { stamps($0.stamp) } }
            #expect(stamps.lines == ["3"], "\(name)")
            let late = onThreads(stack: stack) { Self.lateStamp(make().start()) }
            #expect(late == [3], "\(name), read late")
        }
    }

    private static func lateStamp<Value: WideValue>(_ promise: Promise<Value>) -> Int? {
        try? promise.result?.get().stamp
    }

    /// Each in its own closure: otherwise their stack use would add up within one function.
    private static func ways<Value: WideValue>(
        _ wide: Template<Value>
    ) -> [(name: String, make: @Sendable () -> Promise<Value>)] {
        var ways: [(name: String, make: @Sendable () -> Promise<Value>)] = []
        func add(_ name: String, _ make: @escaping @Sendable () -> Promise<Value>) {
            ways.append((name, make))
        }
        add("value") { .value(wide.value) }
        add("body") { Promise { $0.fulfill(wide.value) } }
        add("fromCallback") { Promise.fromCallback { $0(.success(wide.value)) } }
        add("map") { Promise.value(wide.value).map { $0 } }
        add("map of work") { Promise { $0.fulfill(wide.value) }.map { $0 }.map { $0 } }
        add("tap") { Promise.value(wide.value).tap { _ in } }
        add("flatMap") { Promise.value(1).flatMap { _ in .value(wide.value) } }
        add("flatMap to work") { Promise.value(1).flatMap { _ in Promise { $0.fulfill(wide.value) } } }
        add("then, of wide") { Promise.value(wide.value).then { .value($0) } }
        add("mapError") { Promise.value(wide.value).mapError { $0 } }
        add("mapErrorRecover") { Promise<Value>(error: Refused()).mapErrorRecover { _ in wide.value } }
        add("recover") { Promise<Value>(error: Refused()).recover { _ in .value(wide.value) } }
        add("retry") { Promise.retry(attempts: 2) { .value(wide.value) } }
        add("ensure") { Promise.value(wide.value).ensure {} }
        add("finally") { Promise.value(wide.value).finally {} }
        add("catch") { Promise.value(wide.value).catch { _ in } }
        add("onResult") { Promise.value(wide.value).onResult { _ in } }
        add("interim") { Promise.value(wide.value).interim(wide.value).map { $0 }.onInterim { _ in } }
        add("delay") { Promise.value(wide.value).delay(.zero, on: .immediate) }
        add("delayStart") { Promise.value(wide.value).delayStart(.zero, on: .immediate) }
        add("timeout") { Promise.value(wide.value).timeout(.seconds(3600), on: .immediate) }
        add("receive") { Promise.value(wide.value).receive(on: .immediate) }
        add("start(on:)") { Promise { $0.fulfill(wide.value) }.start(on: .immediate) }
        add("race") { Promise.race([Promise.value(wide.value)]) }
        add("any") { Promise.any([Promise { $0.fulfill(wide.value) }]) }
        add("parallel") { Promise.parallel([Promise.value(wide.value)]).map { $0[0] } }
        add("allSettled") { Promise.allSettled([Promise.value(wide.value)]).map { try $0[0].get() } }
        add("zip") { Promise.zip(Promise.value(wide.value), Promise.value(1)).map { $0.0 } }
        return ways
    }

    @Test("Interim values of 64 KiB are reported, delivered and read on a stack of 512 KiB")
    func interim() {
        let wide = Template(KiB64.self, stamp: 4)
        let stamps = Log()
        let (pending, resolver) = Promise<KiB64>.pending()
        let shown = onThreads { pending.map { $0 }.interim(wide.value) }[0]
        _ = onThreads { shown.onInterim { stamps($0.stamp) } }
        _ = onThreads { resolver.report(wide.value) }
        _ = onThreads { resolver.fulfill(wide.value) }
        _ = onThreads { stamps(shown.loadingState.map(\.stamp) ?? 0) }
        #expect(stamps.lines == ["4", "4", "4"])
    }

    @Test("A task waits for a value of 64 KiB on a stack of 512 KiB")
    func awaited() async throws {
        let wide = Template(KiB64.self, stamp: 6)
        let (pending, resolver) = Promise<KiB64>.pending()
        let waiting = Task(executorPreference: SmallStack()) { try await pending.value.stamp }
        _ = onThreads { resolver.fulfill(wide.value) }
        #expect(try await waiting.value == 6)
        let reading = Task(executorPreference: SmallStack()) { try await pending.value.stamp }
        #expect(try await reading.value == 6)
    }

    @Test("A task reads updates of 64 KiB on a stack of 512 KiB")
    func updates() async throws {
        let wide = Template(KiB64.self, stamp: 7)
        let (pending, resolver) = Promise<KiB64>.pending()
        let shown = pending.interim(wide.value)
        let listening = Task(executorPreference: SmallStack()) {
            var stamps: [Int] = []
            for try await value in shown.updates { stamps.append(value.stamp) }
            return stamps
        }
        _ = onThreads { resolver.fulfill(wide.value) }
        #expect(try await listening.value == [7, 7])
    }

    @Test("A promise has the size of a few words, whatever its value")
    func size() {
        #expect(MemoryLayout<Promise<MiB>>.size == MemoryLayout<Promise<Void>>.size)
        #expect(MemoryLayout<Promise<MiB>>.size <= 4 * MemoryLayout<Int>.size)
    }
}
