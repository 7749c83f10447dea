import Promise
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Random trees of features in one system, against a model of plain values.
@Suite(.tags(.noSharedState)) struct FeatureTreeTests {
    private typealias House = FeatureTree.House
    private typealias Reader = FeatureTreeReader

    private struct Line: Sendable, Equatable {
        /// The number of steps so far.
        let step: Int
        let reader: Int
        let part: Reader.Part
    }

    /// One system, its subscribers, and the values that they should receive.
    private struct Readers {
        let tree: FeatureTree
        let system: System<House, House.Event>
        var house: House
        var count = 0
        var present: [(reader: Reader, last: Reader.Part, token: SubscriptionToken)] = []
        let step = Box(0)
        let told = Log<Line>()
        var expected: [Line] = []

        /// Sorted within a step: subscribers of one collection are notified together, not in the order of joining.
        var toldInOrder: [Line] { told.entries.sorted { ($0.step, $0.reader) < ($1.step, $1.reader) } }

        init(_ tree: FeatureTree, _ feature: Feature<House, House.Event>, _ house: House) {
            (self.tree, self.house) = (tree, house)
            system = System(initialState: house, scheduler: .immediate, feature: feature)
        }

        mutating func join(_ random: inout SeededGenerator) {
            let reader = Reader(count, of: house, &random)
            count += 1
            step.value += 1
            let part = reader.part(of: house)
            expected.append(Line(step: step.value, reader: reader.number, part: part))
            let token = reader.subscribe(to: system) { [told, step] in
                told.add(Line(step: step.value, reader: reader.number, part: $0))
            }
            present.append((reader, part, token))
        }

        mutating func leave(_ random: inout SeededGenerator) {
            guard let index = present.indices.randomElement(using: &random) else { return }
            // Some subscriptions are cancelled, the tokens of others are released.
            if .random(using: &random) { present[index].token.cancel() }
            present.remove(at: index)
        }

        mutating func send(_ event: House.Event) {
            step.value += 1
            system.sendEvent(event)
            tree.apply(event, to: &house)
            for index in present.indices {
                let part = present[index].reader.part(of: house)
                if part == present[index].last { continue }
                present[index].last = part
                expected.append(Line(step: step.value, reader: present[index].reader.number, part: part))
            }
        }
    }

    private static let trees = 20

    @Test(
        "SR-35, SR-31, FS-37, SR-32: subscribers of every level receive what the model says: random scripts",
        arguments: 0..<2)
    func readers(half: UInt64) {
        let seed = firstSeed()
        var random = SeededGenerator(seed: seed)
        let trees = (0..<Self.trees).map { _ in FeatureTree(&random, breadth: 3...7) }
        let features = trees.map { $0.feature() }
        var tellings = 0
        let scripts = rounds(150, stress: 5000)
        for number in 0..<UInt64(scripts) {
            var random = SeededGenerator(seed: seed &+ 2 * number &+ half)
            let tree = Int.random(in: 0..<Self.trees, using: &random)
            var readers = Readers(trees[tree], features[tree], House(&random))
            readers.join(&random)
            for _ in 0..<16 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0...1: readers.join(&random)
                case 2: readers.leave(&random)
                default: readers.send(readers.house.event(&random))
                }
            }
            let isAsExpected = readers.toldInOrder == readers.expected
            guard isAsExpected, readers.system.state == readers.house else {
                Issue.record(
                    """
                    \(isAsExpected ? "another state than" : "other values delivered than") the model says: \
                    seed \(seed), half \(half), case \(number)
                    """)
                return
            }
            tellings += readers.expected.count - readers.count
        }
        // Notices scripts in which nothing ever happens.
        #expect(tellings > scripts)
    }

    @Test(
        "SR-35, FS-38: the work of every element runs and ends as the model says: random scripts",
        arguments: 0..<2)
    func works(half: UInt64) {
        let seed = firstSeed()
        for number in 0..<UInt64(rounds(20, stress: 500)) {
            var random = SeededGenerator(seed: seed &+ 2 * number &+ half)
            func comment() -> Comment { "seed \(seed), half \(half), case \(number)" }
            let (tree, house, trace) = (FeatureTree(&random, breadth: 2...4), House(&random), Trace())
            let scheduler = trace.scheduler
            var model = FeatureTree.Model(tree, house)
            var system: System? = System(
                initialState: house, scheduler: scheduler,
                feature: tree.feature(feedbacks: FeatureTree.feedbacks(trace)))
            scheduler.advance()
            for _ in 0..<Int.random(in: 5...12, using: &random) {
                let time = max(0, Int.random(in: -300...600, using: &random))
                scheduler.advance(by: .milliseconds(time))
                model.advance(by: time)
                let event = model.house.event(&random)
                system?.sendEvent(event)
                scheduler.advance()
                model.send(event)
                let (told, expected) = (trace.take().sorted(), model.take())
                guard told == expected, system?.state == model.house else {
                    Issue.record(
                        "\(told), or the state, is not what the model says, \(expected): \(comment())")
                    return
                }
            }
            system = nil
            model.end()
            #expect(trace.take().sorted() == model.take(), comment())
        }
    }

    @Test(
        "R16, SR-35: the work of elements that are removed with their whole ends in the order of the collection"
    )
    func endTogether() {
        typealias Flat = FeatureTree.Flat
        let trace = Trace()
        var random = SeededGenerator(seed: 1)
        var flat = Flat(id: 0, plain: Leaf(id: 0, mark: 0))
        flat.rows = (1...8).map { Leaf(id: $0, mark: $0, board: Board(flag: true)) }
        let leaf = Feature<Leaf, Signal>(feedbacks: FeatureTree.feedbacks(trace))
        let system = System<Flat?, Flat.Event>(
            initialState: flat, scheduler: trace.scheduler,
            feature: Feature(reducer: Reducer { flat, _ in flat = nil })
                <> Flat.lift(leaf, toAll: .row).optional)
        trace.scheduler.advance()
        #expect(trace.take() == (1...8).map { "0 +\($0) flag" })
        system.sendEvent(flat.event(&random))
        trace.scheduler.advance()
        #expect(trace.take() == (1...8).map { "0 -\($0) flag" })
    }
}
