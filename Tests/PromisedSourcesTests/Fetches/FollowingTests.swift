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
}
