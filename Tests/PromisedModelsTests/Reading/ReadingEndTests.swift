import PromisedModels
import PromisedModelsTesting
import Testing

/// What is read ends with the model that it is read of.
struct ReadingEndTests {
    /// Iterates in a task of another model, and notes each value and the end.
    private func note<Element: Sendable>(_ values: AsyncStream<Element>, _ fixture: Fixture<some Model>) {
        fixture.model.task { [notes = fixture.notes] in
            for await value in values { notes.add("\(value)") }
            notes.add("end")
        }
    }

    @Test("OS-27: the values of a property end when the state is removed")
    func values() {
        let fixture = Fixture<App>(.rows(1))
        note(fixture.model.rows[0].values(of: \.id), fixture)
        #expect(fixture.after { _ in } == ["1"])
        #expect(fixture.after { $0.state.rows = [] }.contains("end"))
    }

    @Test("OS-04, OS-27: the values of a property of a removed state are the last one")
    func valuesOfRemoved() {
        let fixture = Fixture<App>(.rows(1))
        let row = fixture.model.rows[0]
        fixture.after { $0.state.rows = [] }
        #expect(fixture.after { _ in note(row.values(of: \.id), fixture) } == ["1", "end"])
    }

    @Test("OS-50: the values of a property outside of the state end at once for a removed state")
    func propertyOfRemoved() {
        let fixture = Fixture<Track>(.init())
        let player = fixture.model.player
        fixture.after { $0.context.state.player = nil }
        let heard = fixture.after { _ in
            if let player { note(player.volume.values, fixture) }
        }
        #expect(heard == ["0.5", "end"])
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
}
