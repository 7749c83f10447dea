import Dispatch
import PromisedTesting
import TestSupport
import Testing

@testable import Promise

/// Work that waits on a scheduler and is cancelled: every scheduler × every way to schedule × every moment.
@Suite(.tags(.sharedState)) struct CancelledWorkTests {
    enum Kind: CaseIterable { case queue, main, immediate, test }

    enum Delay: CaseIterable {
        case zero, negative, long

        var duration: Duration {
            switch self {
            case .zero: .zero
            case .negative: .seconds(-1)
            case .long: .seconds(3600)
            }
        }
    }

    private static func scheduler(_ kind: Kind) -> any SerialScheduler {
        switch kind {
        case .queue: QueueScheduler.serial("cancelled")
        case .main: MainScheduler.main
        case .immediate: ImmediateScheduler()
        case .test: TestScheduler()
        }
    }

    /// Runs `body` while the scheduler is busy, and then what waits there, up to now.
    private static func whileBusy(
        _ kind: Kind, _ scheduler: any SerialScheduler, _ body: @escaping @Sendable () -> Void
    ) async {
        switch kind {
        case .queue:
            let free = DispatchSemaphore(value: 0)
            scheduler.schedule { free.wait() }
            body()
            free.signal()
            await drained(scheduler)
        case .main:
            await MainActor.run(body: body)
            await drained(scheduler)
        case .immediate: scheduler.schedule(body)
        case .test:
            body()
            (scheduler as? TestScheduler)?.advance()
        }
    }

    private static func drained(_ scheduler: any SerialScheduler) async {
        await withCheckedContinuation { continuation in
            scheduler.schedule(after: .zero) { continuation.resume() }
        }
    }

    @Test(
        "work that is cancelled while it waits never runs, and is released at once, though its handle is held",
        arguments: Kind.allCases, Delay.allCases)
    func cancelled(_ kind: Kind, _ delay: Delay) async {
        let scheduler = Self.scheduler(kind)
        let log = Log()
        let token = WeakToken()
        let handles = Box<[ScheduledWork]>([])
        await Self.whileBusy(kind, scheduler) {
            for number in 1...3 {
                let held = number == 2 ? Token() : nil
                if let held { token.set(held) }
                let work = scheduler.schedule(after: delay.duration) {
                    withExtendedLifetime(held) { log(number) }
                }
                handles.value?.append(work)
            }
            #expect(handles.value?.allSatisfy(\.isPending) == true)
            #expect(!token.isReleased)
            handles.value?[1].cancel()
            #expect(token.isReleased)
            #expect(handles.value?.map(\.isPending) == [true, false, true])
        }
        #expect(log.lines == (delay == .long ? [] : ["1", "3"]))
        // The second round, through the same handles.
        for handle in handles.value ?? [] {
            handle.cancel()
            handle.run()
            #expect(!handle.isPending)
        }
        #expect(log.count == (delay == .long ? 0 : 2))
    }

    @Test(
        "work that has run is released, though its handle is held",
        arguments: Kind.allCases, [Delay.zero, .negative])
    func run(_ kind: Kind, _ delay: Delay) async {
        let scheduler = Self.scheduler(kind)
        let token = WeakToken()
        let handle = Box<ScheduledWork>()
        await Self.whileBusy(kind, scheduler) {
            let held = Token()
            token.set(held)
            handle.value = scheduler.schedule(after: delay.duration) { withExtendedLifetime(held) {} }
        }
        #expect(token.isReleased)
        #expect(handle.value?.isPending == false)
    }

    @Test("work keeps its scheduler until it has run", arguments: [Kind.queue, .immediate])
    func outlives(_ kind: Kind) async {
        let ran = await withCheckedContinuation { continuation in
            let scheduler = Self.scheduler(kind)
            scheduler.schedule(after: .milliseconds(1)) { [weak scheduler] in
                continuation.resume(returning: scheduler != nil)
            }
        }
        #expect(ran)
    }
}

/// A weak reference that several threads may read.
private final class WeakToken: Sendable {
    private struct Reference: Sendable { weak var token: Token? }

    private let reference = Lock(Reference())

    var isReleased: Bool { reference.withLock { $0.token == nil } }

    func set(_ token: Token) { reference.withLock { $0.token = token } }
}
