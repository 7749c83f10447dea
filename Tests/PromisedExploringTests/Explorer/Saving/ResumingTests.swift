import Foundation
import PromisedExploring
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Explorations that another process goes on with.
@Suite struct ResumingTests {
    private static func dials(
        _ modulus: Int = 60, _ events: [Int] = [1, 10], times factor: Int = 1
    ) -> Explorer<Int, Int> {
        Explorer(events: events) { world in
            System(initialState: 0, scheduler: world.scheduler) { state, event in
                world.call("turn", .value((state + factor * event) % modulus), .cancelled)
            }
        }
    }

    @Test("a machine of calls, with enqueued events")
    func calls() throws {
        try expectResumes(depth: 12, cuts: stride(from: 0, through: 150, by: isStress ? 1 : 30)) {
            Self.dials()
        }
    }

    @Test("a pure machine, whose systems are brought to a state without a path")
    func pure() throws {
        try expectResumes(depth: 100, cuts: stride(from: 0, through: 700, by: isStress ? 23 : 250)) {
            Explorer<[Int], Int>(events: [0, 1, 2]) { world in
                System(
                    initialState: [0, 0, 0], scheduler: world.scheduler,
                    reducer: Reducer { state, event in state[event] = (state[event] + 1) % 6 })
            }
        }
    }

    @Test("effects, and a property at rest")
    func effects() throws {
        try expectResumes(depth: 9, cuts: stride(from: 0, through: 400, by: isStress ? 7 : 60)) {
            Counters.explorer(2)
        }
    }

    @Test("timers, variables of the world, and what is declared of paths")
    func timers() throws {
        try expectResumes(depth: 8, cuts: stride(from: 0, through: 400, by: isStress ? 3 : 90)) {
            Explorer<String, String>(events: ["write", "read", "wait"]) { world in
                let disk = world.variable("")
                world.sometimes("it reads what was written") { $0 == "read yes" }
                world.sometimes("it is never seen") { $0 == "seen" }
                world.responds("an answer", to: .state { $0 == "writing" }, within: .seconds(5)) {
                    $0 != "writing"
                }
                return System<String, String>(
                    initialState: "", scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        state = event == "write" ? "writing" : event == "read" ? "read \(disk.value)" : event
                    },
                    feedbacks: [
                        .onEvent({ $0 == "write" ? true : nil }, policy: .replace) { _ in
                            world.call("disk", .value("written"), .value("full")).map { answer in
                                if answer == "written" { disk.value = "yes" }
                                return answer
                            }
                            .delay(.seconds(2))
                        },
                        .onEvent({ $0 == "wait" ? true : nil }, policy: .debounce(.seconds(1))) { _ in
                            Promise.value("waited")
                        },
                    ])
            }
        }
    }

    @Test("a step is repeated on the path on which it was found, though a shorter one was found later")
    func shorterPath() throws {
        // From 0 the search goes to 3 over 1 and 2, and finds 200 behind it before it sees 100, which leads to 3 as
        // well.
        let steps = [0: [1: 1, 2: 100], 1: [1: 2], 2: [1: 3], 3: [1: 4, 2: 200], 4: [1: 3], 100: [1: 3]]
        func explorer() -> Explorer<Int, Int> {
            Explorer(events: [1, 2]) { world in
                System<Int, Int>(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in state = steps[state]?[event] ?? state },
                    // The system is not at rest, so it is brought back on a path.
                    feedbacks: [.just(effects: world.call("load", .value(0)))])
            }
        }
        let whole = explorer().explore(depth: 8)
        #expect(whole.states.firstIndex(of: 200)! < whole.states.firstIndex(of: 100)!)
        try expectSame(resumed(whole, by: explorer(), depth: 9), whole.continued(depth: 9), "")
    }

    @Test("properties of fair paths")
    func fair() throws {
        for limit in [nil, Duration.seconds(3)] {
            try expectResumes(depth: 9, cuts: stride(from: 0, through: 200, by: isStress ? 1 : 8)) {
                Order.explorer(limit: limit) { world in world.eventually("placing ends") { $0 != .placing } }
            }
            try expectResumes(depth: 6, cuts: stride(from: 0, through: 60, by: isStress ? 2 : 6)) {
                Order.explorer(limit: limit, retries: true) { world in
                    world.eventually("placing ends") { $0 != .placing }
                }
            }
        }
    }

    @Test("a clock that is read, sooner or later")
    func clock() throws {
        try expectResumes(depth: 6, cuts: stride(from: 0, to: 60, by: 5)) {
            Explorer<Int, String>(events: ["look", "go"]) { world in
                System<Int, String>(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { state, event in
                        state = event == "look" ? Int(world.scheduler.now.components.seconds) : -1
                    },
                    feedbacks: [
                        .onEvent({ $0 == "go" ? true : nil }, policy: .drop) { _ in
                            Promise.value("tick").delay(.seconds(2))
                        }
                    ])
            }
        }
    }

    @Test("states that are compared by a view, and a bound")
    func view() throws {
        try expectResumes(depth: 20, cuts: stride(from: 0, to: 40, by: 5)) {
            Explorer<[Int], Int>(events: [1, 2]) { world in
                world.bound("up to twenty") { $0.reduce(0, +) <= 20 }
                return System(
                    initialState: [], scheduler: world.scheduler, reducer: Reducer { $0.append($1) })
            }
            .viewed { $0.reduce(0, +) }
        }
    }

    @Test("random machines with all features, cut anywhere")
    func features() throws {
        var count = 0
        for seed in 1..<UInt64(rounds(5, stress: 1_000)) {
            let machine = FeatureMachine(seed: seed)
            let whole = machine.explorer.explore(depth: 3)
            if whole.gaps.contains(where: { if case .incomparable = $0 { true } else { false } }) { continue }
            count += 1
            let steps = whole.steps + whole.inferredTransitions
            try expectResumes(depth: 3, cuts: [1, steps / 2, steps - 2], "seed \(seed)") {
                machine.explorer
            }
        }
        #expect(count > 1)
    }

    @Test("resumed again and again, also to a greater depth, it comes to what one exploration comes to")
    func again() throws {
        let whole = Self.dials().explore(depth: 200)
        var part = Self.dials().explore(depth: 5, .init(stepLimit: 40))
        var count = 0
        while part.reachedStepLimit || count == 0 {
            part = try resumed(part, by: Self.dials(), depth: 200, .init(stepLimit: 90))
            count += 1
        }
        #expect(count > 3)
        #expect(part.isComplete && part.levels == whole.levels)
        #expect(part.coverage.items == whole.coverage.items)
        #expect(part.diagram() == whole.diagram())
    }

    // MARK: Refusals

    private func text(_ body: () throws -> Void) -> String {
        do {
            try body()
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("another program is noticed: other events, properties, states, steps or values")
    func others() throws {
        let stopped = Self.dials().explore(depth: 20, .init(stepLimit: 100))
        let other = Explorer<Int, Int>(events: [1, 10]) { world in
            world.always("not 70") { $0 != 70 }
            return System(initialState: 0, scheduler: world.scheduler) { state, event in
                world.call("turn", .value((state + event) % 60), .cancelled)
            }
        }
        let uncomparable = Explorer<Int, Int>(events: [1, 10]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
        }
        .viewed { $0 % 60 }
        try withFile { path in
            try stopped.save(to: path)
            let factor = Self.dials(120, times: 2)
            for explorer in [Self.dials(60, [1, 11]), Self.dials(12), factor, other, uncomparable] {
                let text = text { _ = try explorer.resume(from: path) }
                #expect(text.contains(path) && text.contains("has changed") && text.contains("Explore from"))
            }
            #expect(try Self.dials().resume(from: path).isComplete == false)
        }
    }

    @Test("an exploration with a value that is not equal to itself is not saved")
    func irreflexive() throws {
        let found = Explorer<Double, Int>(events: [1]) { world in
            System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { state, _ in state = .nan })
        }
        .explore(depth: 2)
        try withFile { path in
            #expect(text { try found.save(to: path) }.contains("values of Double cannot be compared"))
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("another bound and a view are noticed", arguments: [4, 8])
    func otherBound(limit: Int) {
        let viewed = Self.dials().viewed { $0 }.explore(depth: 5)
        #expect(text { _ = try resumed(viewed, by: Self.dials()) }.contains("has changed"))
        func explorer(_ limit: Int) -> Explorer<Int, Int> {
            Explorer(events: [1, 2]) { world in
                world.bound("small") { $0 <= limit }
                return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
            }
        }
        #expect(
            text { _ = try resumed(explorer(6).explore(depth: 9), by: explorer(limit)) }.contains(
                "has changed"))
    }

    @Test("a file that is missing, foreign, newer, cut or damaged is refused with its name")
    func damaged() throws {
        try withFile { path in
            let url = URL(filePath: path)
            #expect(
                text { _ = try Self.dials().resume(from: path) }
                    == "The saved exploration \(path) cannot be read: No such file or directory. Explore from the start, and "
                    + "save it.")
            try Self.dials().explore(depth: 20, .init(stepLimit: 40)).save(to: path)
            let data = try Data(contentsOf: url)
            func refusal(_ data: Data) throws -> String {
                try data.write(to: url)
                return text { _ = try Self.dials().resume(from: path) }
            }
            for text in ["", "\n", "another file\n", "PromisedExploring exploration 2"] {
                #expect(try refusal(Data(text.utf8)).hasPrefix("\(path) is no saved exploration."))
            }
            #expect(
                try refusal(Data("PromisedExploring exploration 12\nabc".utf8)).hasPrefix(
                    "\(path) has version 12 of the format, and this package reads version 2."))
            let damaged = "The saved exploration \(path) is damaged or not complete. Explore from the start"
            let head = Data("PromisedExploring exploration 2\n".utf8).count
            for count in stride(from: head, to: data.count, by: 31) {
                #expect(try refusal(data.prefix(count)).hasPrefix(damaged))
                var changed = data
                changed[count] ^= 0x10
                #expect(try refusal(changed).hasPrefix(damaged))
            }
            #expect(try refusal(data).isEmpty)
        }
    }

    @Test("what cannot be resumed is not saved, and a file that is there stays")
    func refusals() throws {
        struct Plain: Sendable {}
        try withFile { path in
            try Self.dials().explore(depth: 3).save(to: path)
            let before = try Data(contentsOf: URL(filePath: path))
            let every = Self.dials().explore(depth: 3, .init(merging: .none))
            #expect(text { try every.save(to: path) }.contains("\(path): with merging .none"))
            let plain = Explorer<Plain, Int>(events: [1]) { world in
                System(initialState: Plain(), scheduler: world.scheduler, reducer: .identity)
            }
            #expect(
                text { try plain.explore(depth: 2).save(to: path) }.contains("values of Plain cannot be"))
            let other = Explorer<Int, Int>(events: [1]) { world in
                let system = System<Plain, Int>(
                    initialState: Plain(), scheduler: world.scheduler, reducer: .identity)
                return System(
                    initialState: 0, scheduler: world.scheduler,
                    reducer: Reducer { _, _ in system.sendEvent(1) })
            }
            #expect(
                text { try other.explore(depth: 2).save(to: path) }.contains("values of Plain cannot be"))
            let broken = Explorer<Int, Int>(events: [1]) { world in
                world.always("not one") { $0 != 1 }
                return System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 += $1 })
            }
            #expect(text { try broken.explore(depth: 2).save(to: path) }.contains("has found a violation"))
            let stopped = Self.dials().explore(depth: 20, .init(stepLimit: 20))
            _ = stopped.continued(.init(stepLimit: 20))
            // The values that it found have numbers already.
            let second = stopped.continued(.init(stepLimit: 20))
            #expect(text { try second.save(to: path) }.contains("continued more than once"))
            #expect(try resumed(stopped, by: Self.dials()).levels == second.continued().levels)
            #expect(try Data(contentsOf: URL(filePath: path)) == before)
            #expect(
                text { try stopped.save(to: path + "/below/it") }
                    == "The exploration could not be saved in \(path)/below/it, and what was there is unchanged: Not a "
                    + "directory. Save it in another place.")
        }
    }

    @Test("the same exploration is saved as the same bytes")
    func deterministic() throws {
        let files = try (0..<2).map { _ in try saved(Counters.explorer(2).explore(depth: 8)) }
        #expect(files[0] == files[1])
    }
}
