import Foundation
import PromisedModels
import PromisedTesting
import Testing

struct DependencyTests {
    @Test("OS-45, OS-46: a default is evaluated once for a store, when it is first read")
    func defaults() {
        let fixture = Fixture<App>(.rows(1, 2))
        let counter = fixture.model.rows[0].counter
        let values =
            (0..<3).map { _ in counter.dependency(\.token) } + [fixture.model.rows[1].dependency(\.token)]
        #expect(Set(values.map(ObjectIdentifier.init)).count == 1)
        #expect(
            ObjectIdentifier(Fixture<App>(.init()).model.dependency(\.token)) != ObjectIdentifier(values[0]))
    }

    @Test("OS-47: an override of the store reaches all models")
    func store() {
        let fixture = Fixture<App>(.rows(1)) { $0.sound = "off" }
        #expect(fixture.model.rows[0].counter.dependency(\.sound) == "off")
    }

    @Test("OS-48: an override of a model reaches those below it, until it is reset")
    func model() {
        let fixture = Fixture<App>(.rows(1, 2))
        let (one, two) = (fixture.model.rows[0], fixture.model.rows[1])
        one.override(\.sound, with: "quiet")
        #expect(one.dependency(\.sound) == "quiet")
        #expect(one.counter.dependency(\.sound) == "quiet")
        #expect(two.dependency(\.sound) == "on")
        fixture.model.override(\.sound, with: "loud")
        #expect(one.counter.dependency(\.sound) == "quiet")
        #expect(two.dependency(\.sound) == "loud")
        one.resetDependency(\.sound)
        #expect(one.dependency(\.sound) == "loud")
        one.override(SoundKey.self, with: "by key")
        #expect(one.counter.dependency(SoundKey.self) == "by key")
        #expect(one.counter.dependency(\.sound) == "by key")
        one.resetDependency(SoundKey.self)
        #expect(one.dependency(SoundKey.self) == "loud")
        fixture.model.resetDependency(\.sound)
        #expect(one.counter.dependency(\.sound) == "on")
    }

    @Test("OS-49: a model can be a dependency, which others share")
    func sharedModel() {
        let fixture = Fixture<App>(.rows(1, 2))
        fixture.model.rows[0].dependency(\.settings).increment()
        #expect(fixture.model.rows[1].counter.dependency(\.settings).count == 1)
    }

    @Test("OS-48: resetting a dependency leaves the others overridden")
    func resetOne() {
        let fixture = Fixture<App>(.rows(1))
        let (row, token) = (fixture.model.rows[0], Notes())
        row.override(\.sound, with: "quiet")
        row.override(\.notes, with: token)
        row.resetDependency(\.sound)
        #expect(row.counter.dependency(\.sound) == "on")
        #expect(row.counter.dependency(\.notes) === token)
    }

    @Test("OS-49: a model that is a default is on the scheduler of the store that it is the default of")
    func schedulerOfDefault() {
        let fixture = Fixture<App>(.rows(1))
        let (settings, notes) = (fixture.model.rows[0].dependency(\.settings), fixture.notes)
        let token = settings.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        #expect(fixture.after { _ in settings.increment() } == ["+counter", "1"])
        token.cancel()
    }

    @Test("OS-49: a model that is an override is on the scheduler of the store that it is created for")
    func schedulerOfOverride() {
        let fixture = Fixture<App>(.rows(1)) { $0[SettingsKey.self] = Counter(initialState: .init(count: 5)) }
        let (settings, notes) = (fixture.model.rows[0].dependency(\.settings), fixture.notes)
        let token = settings.source(of: \.count).subscribe(replayCurrent: false) { notes.add("\($0)") }
        #expect(fixture.after { _ in settings.increment() } == ["6"])
        token.cancel()
    }

    @Test("The clock of a scheduler measures its time")
    func clock() {
        let scheduler = TestScheduler()
        let clock = SchedulerClock(scheduler)
        let start = clock.now
        #expect(clock.measure { scheduler.advance(by: .seconds(3)) } == .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(3))
        #expect(start < clock.now)
        #expect(start.advanced(by: .seconds(3)) == clock.now)
    }

    @Test("Random numbers depend on the seed, and copies of a source share its numbers")
    func seeds() {
        func numbers(_ seed: UInt64) -> [UInt64] {
            var (random, count) = (RandomSource.seeded(seed), 0)
            return Array(
                AnyIterator {
                    count += 1
                    return count > 3 ? nil : random.next()
                })
        }
        #expect(numbers(1) == numbers(1))
        #expect(numbers(1) != numbers(2))
        var one = RandomSource.seeded(1)
        var other = one
        #expect([one.next(), other.next(), one.next()] == numbers(1))
    }

    @Test("Dates, identifiers, random numbers and the clock are controlled")
    func builtIn() throws {
        let date = Date(timeIntervalSince1970: 5)
        let fixture = Fixture<Counter>(.init()) { values in
            (values.date, values.uuid, values.random) = (.constant(date), .incrementing, .seeded(1))
        }
        let model = fixture.model
        #expect(model.dependency(\.date)() == date)
        let ids = (0..<2).map { _ in model.dependency(\.uuid)().uuidString }
        #expect(ids == ["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001"])
        var (one, other) = (RandomSource.seeded(1), model.dependency(\.random))
        #expect((0..<3).map { _ in one.next() } == (0..<3).map { _ in other.next() })
        let notes = fixture.notes
        model.task {
            try await model.dependency(\.clock).sleep(for: .seconds(3))
            notes.add("slept")
        }
        fixture.scheduler.advance(by: .seconds(2))
        #expect(!notes.value.contains("slept"))
        fixture.scheduler.advance(by: .seconds(1))
        #expect(notes.value.contains("slept"))
    }
}

extension DependencyTests {
    @Test("OS-46: a dependency and a preference may be optional: without an override they have their default")
    func optionalValues() {
        enum Limit: DependencyKey { static var liveValue: Int? { 5 } }
        enum Height: PreferenceKey {
            static var defaultValue: Int? { 3 }
            static func reduce(_ value: inout Int?, with next: Int?) { value = next }
        }
        let fixture = Fixture<App>(.rows(1, 2))
        let app = fixture.model
        #expect(app.dependency(Limit.self) == 5)
        app.override(Limit.self, with: nil)
        #expect(app.rows[0].dependency(Limit.self) == nil)
        app.resetDependency(Limit.self)
        #expect(app.dependency(Limit.self) == 5)
        #expect(app.preference(Height.self) == 3)
        app.rows[0].setPreference(Height.self, 7)
        #expect(app.preference(Height.self) == 7)
        app.rows[1].setPreference(Height.self, .some(nil))
        #expect(app.preference(Height.self) == nil)
    }
}

final class Token: Sendable {}

enum TokenKey: DependencyKey {
    static var liveValue: Token { Token() }
}

enum SoundKey: DependencyKey {
    static let liveValue = "on"
}

extension DependencyValues {
    var token: Token { self[TokenKey.self] }
    var sound: String {
        get { self[SoundKey.self] }
        set { self[SoundKey.self] = newValue }
    }
    var settings: Counter { self[SettingsKey.self] }
}
