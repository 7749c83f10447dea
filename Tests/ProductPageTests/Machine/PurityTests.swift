import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@testable import ProductPage

/// Calling the reducer with the real effects does nothing to the world: it only says what would be done.
@Suite struct PurityTests {
    @Test("calling the reducer for every state and event asks no loader, touches no cart, schedules nothing")
    func calling() throws {
        let folder = try TemporaryFolder()
        for source in CountedWorld.sources {
            let world = CountedWorld(source: source, cart: folder.file("state/cart.json"))
            let scheduler = TestScheduler()
            let promises = scheduler.runAsCurrent {
                Pair.all.map { ProductPage.reduce(state: $0.state, event: $0.event, effects: world.effects) }
            }
            let loading = zip(Pair.all, promises).map { pair, promise in
                (promise.loadingState?.sketch).map { "\(pair.testDescription): \($0)" }
            }
            #expect(loading.compactMap { $0 } == Self.loadingStates)
            #expect(world.loads == [])
            #expect(try folder.names() == [])
            #expect(scheduler.pendingCount == 0)
            scheduler.finish()
        }
    }

    @Test("the same promises, started, have their effects, so that the counters are seen to count")
    func starting() throws {
        let loads = Pair.states.count * 2
        for source in CountedWorld.sources {
            let folder = try TemporaryFolder()
            let world = CountedWorld(source: source, cart: folder.file("state/cart.json"))
            let scheduler = TestScheduler()
            for pair in Pair.all {
                ProductPage.reduce(state: pair.state, event: pair.event, effects: world.effects)
                    .start(on: scheduler)
            }
            scheduler.run()
            #expect(world.loads == Array(repeating: source?.name, count: source == nil ? 0 : loads))
            #expect(try folder.names() == ["state"])
            #expect(scheduler.now == (source == nil ? .seconds(1) : .zero))
        }
    }

    @Test("the cart is read when the promise is started, not when it is described")
    func cartIsReadAtTheStart() throws {
        let folder = try TemporaryFolder()
        let world = CountedWorld(source: CountedWorld.sources[1], cart: folder.file("cart.json"))
        try CartStore(path: folder.file("cart.json")).save(Cart())
        let promise = ProductPage.reduce(state: .start, event: .load, effects: world.effects)
        try CartStore(path: folder.file("cart.json")).save(Cart(lines: [.oneB]))

        let scheduler = TestScheduler()
        promise.start(on: scheduler)
        scheduler.run()
        #expect(try promise.result?.get().sketch == "loaded A 1")
    }

    #if os(Linux)
        @Test("calling the reducer opens no file, socket, timer or task, in a process of its own")
        func nothingIsOpened() async throws {
            // Elsewhere other tests open files at the same time.
            let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
                PurityTests.wakeDispatch()
                StartedWork.countTasks()
                let problems = PurityTests.whatCallingStarts() + PurityTests.whatIsNotNoticed()
                FileHandle.standardError.write(Data(problems.joined(separator: "\n").utf8))
            }
            #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "")
        }

        private static func whatCallingStarts() -> [String] {
            let worlds = CountedWorld.sources.map { CountedWorld(source: $0, cart: "/nowhere/cart.json") }
            let before = openFiles
            let isQuiet = StartedWork.isNothing {
                let promises = worlds.flatMap { world in
                    Pair.all.map {
                        ProductPage.reduce(state: $0.state, event: $0.event, effects: world.effects)
                    }
                }
                precondition(promises.compactMap(\.loadingState).count == 3 * loadingStates.count)
            }
            var problems = openFiles.subtracting(before).sorted().map { "opened \($0)" }
            if StartedWork.tasks > 0 { problems.append("started \(StartedWork.tasks) tasks") }
            if !isQuiet { problems.append("started a timer, a thread, or work for a queue") }
            return problems
        }

        /// Each kind of thing has to be noticed, so that to see none of it means something.
        private static func whatIsNotNoticed() -> [String] {
            let before = openFiles
            let null = FileHandle(forReadingAtPath: "/dev/null")
            let opened = openFiles.subtracting(before)
            withExtendedLifetime(null) {}

            var noticed = [
                "a file": opened.count == 1,
                "work for a queue": !StartedWork.isNothing { DispatchQueue.global().async {} },
                "a timer": !StartedWork.isNothing {
                    DispatchQueue.global().asyncAfter(deadline: .now() + 3600) {}
                },
                "a thread": !StartedWork.isNothing {
                    Thread.detachNewThread { Thread.sleep(forTimeInterval: 3600) }
                },
            ]
            Task {}
            noticed["a task"] = StartedWork.tasks == 1
            // The main actor's executor takes its jobs without a hook; but its thread wakes.
            noticed["a task of the main actor"] = !StartedWork.isNothing { Task { @MainActor in } }
            return noticed.filter { !$0.value }.keys.sorted().map { "\($0) is not noticed" }
        }

        /// Dispatch opens what it needs for itself, and starts its threads.
        private static func wakeDispatch() {
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async { done.signal() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { done.signal() }
            for _ in 1...2 { done.wait() }
            StartedWork.sleepsOfOthers()
        }

        /// What is open: files, sockets, pipes, timers, but not the folder that is read to know it.
        private static var openFiles: Set<String> {
            let folder = "/proc/self/fd"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let files = names.compactMap { name in
                try? "\(name) " + FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            }
            return Set(files.filter { !$0.contains(" /proc/") })
        }
    #endif

    /// What is shown at once; every other pair has its outcome at once.
    static let loadingStates =
        ["start", "loading", "slow", "failed"].flatMap { state in
            ["load", "refresh", "cancel"].map { "\(state) × \($0): loading" }
        }
        + ["loading", "slow", "loaded", "added", "removed", "failed"].flatMap { state in
            ["load", "add", "remove", "refresh", "cancel"].map { "\(state) B 1 × \($0): loading B 1" }
        }
}
