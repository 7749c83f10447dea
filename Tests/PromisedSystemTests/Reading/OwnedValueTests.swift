import PromisedSystem
import PromisedTesting
import Testing

/// Values that are delivered later than they are set, as those of models.
struct OwnedValueTests {
    @Test("An end behind a value that is delivered later is delivered behind it")
    func endBehindStagedValue() throws {
        let (value, log) = (OwnedValue<Int>(), Log<String>())
        value.set(1)
        let source = value.source { value.present ?? 0 }
        let token = source.attach(false, { log.add("\($0)") }, { log.add("end") })
        value.stage(2)
        value.stage(3)
        value.finish()
        #expect(log.entries == [])
        value.deliverNext()
        #expect(log.entries == ["2"])
        value.deliverNext()
        #expect(log.entries == ["2", "3", "end"])
        withExtendedLifetime(token) {}
    }

    @Test("An update is computed again if the value was set meanwhile, and not at all after the end")
    func setDuringUpdate() {
        let value = Subject<Int>()
        value.publish(1)
        var isFirst = true
        let result = value.update { present in
            if isFirst { value.publish(10) }
            isFirst = false
            present += 1
            return present
        }
        #expect(result == 11 && value.present == 11)
        value.finish()
        #expect(value.update { $0 += 1 } == nil)
        #expect(value.present == 11)
    }

    private static let changes: [@Sendable (OwnedValue<Int>) -> Void] = [
        { $0.set(2) }, { $0.stage(2) },
        { value in
            value.stage(2)
            value.deliverNext()
        },
    ]

    @Test(
        "After the end a value is changed by nothing, and late subscribers get it and the end",
        arguments: changes.indices)
    func changeAfterEnd(change: Int) {
        let (value, log) = (OwnedValue<Int>(), Log<String>())
        value.set(1)
        value.finish()
        Self.changes[change](value)
        #expect(value.present == 1)
        let token = value.source { value.present ?? 0 }.attach(true, { log.add("\($0)") }, { log.add("end") })
        #expect(log.entries == ["1", "end"])
        token.cancel()
    }
}
