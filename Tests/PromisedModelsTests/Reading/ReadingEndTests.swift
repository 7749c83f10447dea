import Observation
import PromisedModels
import PromisedModelsTesting
import Testing

/// What is read ends with the model that it is read of.
struct ReadingEndTests {
    /// Iterates in a task of another model, and notes each value and the end.
    private func note<Values: AsyncSequence & Sendable>(_ values: Values, _ fixture: Fixture<some Model>) {
        fixture.model.task { [notes = fixture.notes] in
            for try await value in values { notes.add("\(value)") }
            notes.add("end")
        }
    }

    // The sources are kept, as the release of a source would end its values as well.

    @Test("OS-27: a source of a property ends when the state is removed, though the source is held")
    func source() {
        let fixture = Fixture<App>(.rows(1))
        let source = fixture.model.rows[0].source(of: \.id)
        #expect(fixture.after { _ in note(source.values, fixture) } == ["1"])
        #expect(fixture.after { $0.state.rows = [] }.contains("end"))
        withExtendedLifetime(source) {}
    }

    @Test("OS-04, OS-27: a source of a property of a removed state has the last value, and ends")
    func sourceOfRemoved() {
        let fixture = Fixture<App>(.rows(1))
        let row = fixture.model.rows[0]
        fixture.after { $0.state.rows = [] }
        let source = row.source(of: \.id)
        #expect(fixture.after { _ in note(source.values, fixture) } == ["1", "end"])
        withExtendedLifetime(source) {}
    }

    @Test("OS-50: the values of a property outside of the state end at once for a removed state")
    func propertyOfRemoved() throws {
        let fixture = Fixture<Track>(.init())
        let player = try #require(fixture.model.player)
        fixture.after { $0.context.state.player = nil }
        let volume = player.volume
        #expect(fixture.after { _ in note(volume.values, fixture) } == ["0.5", "end"])
        withExtendedLifetime(volume) {}
    }

    @Test("OS-29: waiting for a condition ends with the store")
    func waiting() async {
        let test = TestStore<Counter>(initialState: .init())
        let model = test.model.model
        let (evaluations, continuation) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            do {
                try await model.waitUntil(
                    {
                        continuation.yield()
                        return model.count > 0
                    }())
                return "true"
            } catch {
                return "\(type(of: error))"
            }
        }
        for await _ in evaluations { break }
        test.finish()
        #expect(await waiting.value == "CancellationError")
    }

    private static let volume = ModelProperty(1)

    @Test("A property of a model that has ended has its initial value, whatever is set")
    func endedProperty() throws {
        let fixture = Fixture<App>(.rows(1))
        let row = try #require(fixture.model.rows.first)
        row.property(Self.volume).value = 5
        fixture.after { $0.state.rows = [] }
        let volume = row.property(Self.volume)
        #expect(volume.value == 1)
        volume.value = 7
        #expect(volume.value == 1)
    }

    /// A model with a derived property that counts how often it is evaluated.
    private struct Sum: Model {
        struct State: Sendable {
            var number = 0
            let evaluations: Box<Int>
            var double: Int {
                evaluations.change { $0 += 1 }
                return 2 * number
            }
        }
        let context: ModelContext<Sum>
        var state: ModelState<Self> { context.state }
    }

    /// What observes the property, and ends that.
    private static let observers: [@Sendable (Sum) -> () -> Void] = [
        { $0.source(of: \.double).subscribe { _ in }.cancel },
        { $0.source(of: \.double).subscribe(replayCurrent: false) { _ in }.cancel },
        { $0.source(of: \.double).map { -$0 }.subscribe { _ in }.cancel },
        { $0.forEach($0.values(of: \.double)) { _ in }.cancel },
        { $0.onChange(of: \.double) { _ in }.cancel },
        { sum in
            withObservationTracking {
                _ = sum.double
            } onChange: {
            }
            // A reader is notified of one change.
            return { sum.state.number -= 1 }
        },
    ]

    @Test(
        "a derived property is evaluated after a write only as long as it is observed",
        arguments: observers.indices)
    func notEvaluated(observer: Int) {
        let evaluations = Box(0)
        let fixture = Fixture<Sum>(.init(evaluations: evaluations))
        func evaluationsByWrite() -> Int {
            evaluations.value = 0
            fixture.after { $0.state.number += 1 }
            return evaluations.value
        }
        #expect(evaluationsByWrite() == 0)
        let end = Self.observers[observer](fixture.model)
        fixture.scheduler.advance()
        if observer < Self.observers.count - 1 { #expect(evaluationsByWrite() > 0) }
        fixture.after { _ in end() }
        // The first write after the end may find the observer gone.
        _ = evaluationsByWrite()
        #expect(evaluationsByWrite() == 0)
    }
}
