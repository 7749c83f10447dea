import Observation
import Promise
import PromisedSources
import PromisedTesting
import Testing

@Suite struct FollowingTests {
    let server = CityServer()

    @Test("the previous value is shown until there is one of the new key, and says so")
    func previous() {
        let fetches = server.fetches
        let city = System<Int, Int>(
            initialState: 3, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let followed = fetches.source(following: city.settled.map { CityKey(id: $0) }, freshFor: .seconds(60))
        let observer = Observer()
        observer.begin(
            followed.subscribe { followed in
                let text = describe(followed.model) { $0 }
                observer.add("\(followed.key.id): \(followed.isPrevious ? "(\(text))" : text)")
            })
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["3: …", "3: city3v1"])
        city.sendEvent(4)
        server.scheduler.advance(by: .milliseconds(500))
        city.sendEvent(5)
        server.scheduler.advance()
        #expect(observer.take() == ["4: (city3v1…)", "5: (city3v1…)"])
        #expect(server.takeLog() == ["city3v", "city4v", "city5v", "no city4v"])
        server.fail()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["5: (city3v1!)"])
        server.fail(false)
        followed.value.model.fetched?.refresh?()
        server.scheduler.advance(by: .seconds(1))
        #expect(observer.take() == ["5: (city3v1…)", "5: city5v1"])
        city.sendEvent(3)
        server.scheduler.advance()
        #expect(observer.take() == ["3: city3v1"])
        city.sendEvent(3)
        server.scheduler.advance()
        #expect(observer.take() == [] && server.takeLog() == ["city5v"])
        observer.end()
        city.sendEvent(6)
        server.scheduler.advance()
        #expect(server.takeLog() == [])
    }

    @Test("without a key nothing is fetched and shown, and what follows has no previous value")
    func disabled() {
        let fetches = server.fetches
        let city = System<Int?, Int?>(
            initialState: nil, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let followed = fetches.source(following: city.settled.map { $0.map { CityKey(id: $0) } })
        let observer = Observer()
        observer.begin(
            followed.subscribe { followed in
                observer.add(followed.map { "\($0.key.id): \(describe($0.model) { $0 })" } ?? "none")
            })
        server.scheduler.advance(by: .seconds(1))
        for id in [3, nil, 4, 5] {
            city.sendEvent(id)
            server.scheduler.advance(by: .milliseconds(id == 4 ? 500 : 1_000))
        }
        #expect(
            observer.take() == ["none", "3: …", "3: city3v1", "none", "4: …", "5: …", "5: city5v1"])
        #expect(server.log == ["city3v", "city4v", "city5v", "no city4v"])
        observer.end()
    }

    enum Act: CaseIterable, Sendable { case remove, clear }
    enum Reach: CaseIterable, Sendable { case previous, present, all }

    @Test(
        "the value of the key before is not shown any more when it is removed, also if it is not kept",
        arguments: Act.allCases, Reach.allCases)
    func removed(act: Act, reach: Reach) {
        for keeping in [0, 300] {
            let server = CityServer()
            let fetches = Fetches(from: server, on: server.scheduler, keepingUnused: .seconds(keeping))
            let city = System<Int, Int>(
                initialState: 3, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
            let followed = fetches.source(following: city.settled.map { CityKey(id: $0) })
            let observer = server.observe(followed.map(\.model))
            server.scheduler.advance(by: .seconds(1))
            city.sendEvent(4)
            server.scheduler.advance(by: .milliseconds(500))
            #expect(observer.take() == ["…", "city3v1", "city3v1…"])
            let path = reach == .all ? [] : CityKey(id: reach == .previous ? 3 : 4).path
            if act == .remove { fetches.remove(under: path) } else { fetches.clear(under: path) }
            server.scheduler.advance()
            #expect(observer.take() == (reach == .present ? [] : ["…"]))
            server.scheduler.advance(by: .seconds(1))
            #expect(observer.take() == ["city4v1"])
            observer.end()
        }
    }

    @Test("a body that reads it under observation asks once for each key")
    func underObservation() {
        let fetches = server.fetches
        let city = System<Int, Int>(
            initialState: 3, scheduler: server.scheduler, reducer: Reducer { $0 = $1 })
        let followed = fetches.source(following: city.settled.map { CityKey(id: $0) }, freshFor: .seconds(60))
        let mustRead = Threadsafe(wrappedValue: true)
        for id in [3, 4, 5] {
            city.sendEvent(id)
            for _ in 1...100 {
                if mustRead.wrappedValue {
                    mustRead.wrappedValue = false
                    withObservationTracking {
                        _ = followed.value
                    } onChange: {
                        mustRead.wrappedValue = true
                    }
                }
                server.scheduler.advance(by: .milliseconds(16))
            }
            #expect(followed.value.model.fetched?.value == "city\(id)v1")
            #expect(server.takeLog() == ["city\(id)v"])
        }
    }
}
