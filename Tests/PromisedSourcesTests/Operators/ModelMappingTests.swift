import Promise
import PromisedSources
import Testing

@Suite struct ModelMappingTests {
    @Test("SA-45: only the value changes: a failure is untouched, and each value is mapped once")
    func fetched() {
        let source = MutableSource(Fetchable<Int>.failure(.init(Refused(), failedAttempts: 2)))
        let count = Threadsafe(wrappedValue: 0)
        let mapped = source.eraseToSource().nonmutating().mapFetchedValue {
            count.wrappedValue += 1
            return "\($0)"
        }
        let (seen, token) = texts(mapped)
        let others = (1...2).map { _ in mapped.subscribe { _ in } }
        #expect(seen.values == ["refused !2"] && count.wrappedValue == 0)
        source.model.set(.fetched(.init(3, isRefreshing: true)))
        source.model.set(.fetching(.init()))
        #expect(seen.values == ["refused !2", "3+", "…"] && count.wrappedValue == 1)
        withExtendedLifetime((token, others)) {}
    }

    @Test("SA-45: placeholders and connected values")
    func others() {
        let fetched = Source<Fetchable<Int>>.constant(.fetched(.init(3))).addingPlaceholder("…")
        #expect(fetched.mapFetchedValue { $0 + 1 }.value.fetched?.value == 4)
        #expect(fetched.mapFetchablePlaceholder { $0.count }.value.placeholder == 1)
        let connectable = ConnectableSource { .constant(3) }.eraseToSource()
        let mapped = connectable.mapConnectedValue { $0 + 1 }
        let placed = connectable.addingPlaceholder("none")
        #expect(mapped.value.connected == nil && placed.value.placeholder == "none")
        mapped.value.disconnected?.connect()
        #expect(mapped.value.connected?.value == 4)
        #expect(placed.mapConnectedValue { $0 + 2 }.value.connected?.value == 5)
        #expect(placed.mapConnectablePlaceholder { $0.count }.value.placeholder == 4)
    }

    @Test("SA-46: the first read connects, and the last value is kept when it is disconnected elsewhere")
    func autoConnecting() {
        let inner = MutableSource(4)
        let owner = ConnectableSource { inner.eraseToSource().nonmutating() }
        let (connectable, source) = (owner.eraseToSource(), owner.autoConnecting())
        #expect(connectable.value.connected == nil)
        #expect(source.value == 4 && connectable.value.connected != nil)
        let seen = Seen<Int>()
        let token = source.subscribe { seen.add($0) }
        inner.model.set(5)
        connectable.value.connected?.disconnect()
        inner.model.set(6)
        #expect(seen.values == [4, 5] && source.value == 5)
        connectable.value.disconnected?.connect()
        #expect(seen.values == [4, 5, 6])
        let placed = Source<Connectable<Int>>.constant(.disconnected(.init(connect: .doNothing)))
            .addingPlaceholder(0).autoConnecting()
        #expect(placed.value == 0)
        token.cancel()
    }

    @Test("a source that does not connect at once has no value until it does")
    func connectingLater() {
        let later = MutableSource(Connectable<Int>.disconnected(.init(connect: .doNothing)))
        let source = later.eraseToSource().nonmutating().autoConnecting()
        #expect(source.value == nil)
        let seen = Seen<Int?>()
        let token = source.subscribe { seen.add($0) }
        later.model.set(.connected(.init(4, disconnect: .doNothing)))
        later.model.set(.disconnected(.init(connect: .doNothing)))
        #expect(seen.values == [nil, 4] && source.value == 4)
        token.cancel()
    }

    @Test("a connection that is ended before it is subscribed to leaves a value")
    func disconnectedMeanwhile() {
        let connectable = ConnectableSource { Source.constant(4) }
        let token = connectable.eraseToSource().subscribe { $0.connected?.disconnect() }
        #expect(connectable.autoConnecting().value == 4)
        #expect(connectable.model.connected == nil)
        token.cancel()
    }
}
