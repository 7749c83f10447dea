import PromisedSystem
import TestSupport

extension FeatureTree {
    /// The work of the leaves of a tree, which logs when it starts, completes, and is cancelled.
    static func feedbacks(_ trace: Trace) -> [Feedback<Leaf, Signal>] {
        [
            .lensingSkippingRepeated(state: Wanted.init) { work($0.name, $0.delay, .note("v"), trace) },
            .whenBecomesTrue(state: \.board.flag) { work("\($0.mark) flag", nil, .flag(false), trace) },
            .onEvent({ $0 == .note("n") ? true : nil }) { _ in work("n", pause, .flag(true), trace) },
        ]
    }

    private static let pause = 500

    /// Work that sends its event after `delay` milliseconds, or runs until it is cancelled.
    private static func work(_ name: String, _ delay: Int?, _ signal: Signal, _ trace: Trace) -> Effect<
        Signal
    > {
        Effect { effect in
            trace.add("+\(name)")
            effect.onCancel { trace.add("-\(name)") }
            guard let delay else { return }
            effect.scheduler.schedule(after: .milliseconds(delay)) {
                guard !effect.isCancelled else { return }
                trace.add("!\(name)")
                effect.send(signal)
                effect.finish()
            }
        }
    }

    /// The work that a leaf requests.
    struct Wanted: Sendable, Equatable {
        let mark: Int
        let value: Int

        init?(_ leaf: Leaf) {
            guard let value = leaf.board.value else { return nil }
            (mark, self.value) = (leaf.mark, value)
        }

        var name: String { "\(mark) \(value)" }
        var delay: Int { 200 + 333 * value }
    }

    /// A model of the work that should be running in a tree, computed with plain values.
    struct Model {
        private struct Work {
            let name: String
            let due: Int
        }

        /// The memory and the running work of one leaf's feedbacks.
        private struct Life {
            /// The ids of the leaf and of the part that it is in: with others it is another leaf.
            var ids: [Int] = []
            var wanted: Wanted?
            var work: Work?
            var flag: String?
            var answers: [Work] = []

            /// When the next work completes; the latest instant if there is none.
            var due: Int { min(work?.due ?? .max, answers.first?.due ?? .max) }

            /// The work that completes next, and what it sends.
            mutating func takeEarliest() -> (Work, Signal)? {
                if let done = work, done.due == due {
                    work = nil
                    return (done, .note("v"))
                }
                return answers.isEmpty ? nil : (answers.removeFirst(), .flag(true))
            }

            /// The work that is cancelled when the leaf is removed.
            var names: [String] {
                ([work].compactMap(\.self) + answers).map(\.name) + [flag].compactMap(\.self)
            }
        }

        let tree: FeatureTree
        private(set) var house: House
        private var now = 0
        private var lives: [[Form]: Life] = [:]
        private var lines: [String] = []

        init(_ tree: FeatureTree, _ house: House) {
            (self.tree, self.house) = (tree, house)
            ask()
        }

        /// What has been logged since the last call, in no order.
        mutating func take() -> [String] {
            defer { lines = [] }
            return lines.sorted()
        }

        mutating func send(_ event: House.Event) {
            tree.apply(event, to: &house)
            ask()
            if let (path, signal) = tree.leafEvent(event), signal == .note("n"), lives[path] != nil {
                lives[path]?.answers.append(Work(name: "n", due: now + pause))
                note("+n")
            }
        }

        mutating func advance(by time: Int) {
            let end = now + time
            while let path = earliest(until: end), let (work, signal) = lives[path]?.takeEarliest() {
                now = work.due
                note("!\(work.name)")
                send(.inner(path[0], .inner(path[1], signal)))
            }
            now = end
        }

        /// Ends all work, as after the release of the system.
        mutating func end() {
            for life in lives.values { for name in life.names { note("-\(name)") } }
            lives = [:]
        }

        private mutating func note(_ line: String) { lines.append("\(now) \(line)") }

        private func earliest(until end: Int) -> [Form]? {
            lives.mapValues(\.due).filter { $0.value <= end }.min { $0.value < $1.value }?.key
        }

        private mutating func ask() {
            let leaves = tree.leaves(house)
            for (path, life) in lives where leaves[path] == nil {
                for name in life.names { note("-\(name)") }
                lives[path] = nil
            }
            for (path, leaf) in leaves {
                let ids = [house.part(path[0])?.id ?? 0, leaf.id]
                var life = lives[path] ?? Life(ids: ids)
                if life.ids != ids {
                    for name in life.names { note("-\(name)") }
                    life = Life(ids: ids)
                }
                lives[path] = follow(leaf, life)
            }
        }

        private mutating func follow(_ leaf: Leaf, _ before: Life) -> Life {
            var life = before
            let wanted = Wanted(leaf)
            if wanted != life.wanted {
                if let work = life.work { note("-\(work.name)") }
                life.wanted = wanted
                life.work = wanted.map { Work(name: $0.name, due: now + $0.delay) }
                if let work = life.work { note("+\(work.name)") }
            }
            if leaf.board.flag != (life.flag != nil) {
                if let name = life.flag { note("-\(name)") }
                life.flag = leaf.board.flag ? "\(leaf.mark) flag" : nil
                if let name = life.flag { note("+\(name)") }
            }
            return life
        }
    }
}
