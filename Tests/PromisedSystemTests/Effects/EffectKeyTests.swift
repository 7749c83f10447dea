import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// Equality of keys.
@Suite struct EffectKeyTests {
    private enum Name: Hashable, Sendable { case search, page(Int) }

    /// Keys of values of every kind, two or more of most values.
    private static var keys: [EffectKey] {
        let small: [EffectKey] = [
            2, EffectKey(2), EffectKey(Int8(2)), EffectKey(Int16(2)), EffectKey(Int32(2)),
            EffectKey(Int64(2)),
            EffectKey(UInt(2)), EffectKey(UInt8(2)), EffectKey(UInt16(2)), EffectKey(UInt32(2)),
            EffectKey(UInt64(2)), EffectKey(Float(2)), EffectKey(2.0), EffectKey(EffectKey(Int8(2))),
        ]
        let large: [EffectKey] = [
            EffectKey(UInt.max), EffectKey(UInt64.max), EffectKey(Float(0.5)), EffectKey(0.5),
            EffectKey(-0.0),
            EffectKey(0), EffectKey(Int8(-1)), EffectKey(-1),
            EffectKey(UInt64(1) << 63), EffectKey(0x1p63), EffectKey(Int128(1) << 100), EffectKey(0x1p100),
            EffectKey(UInt128(1) << 100), EffectKey(UInt128(1) << 127), EffectKey(0x1p127),
            EffectKey(0x1p200),
        ]
        let others: [EffectKey] = [
            "2", EffectKey("2"), EffectKey(Substring("2")), EffectKey(Name.search), EffectKey(Name.page(2)),
            EffectKey(Name.page(2)), EffectKey([2]), EffectKey([Int8(2)]), EffectKey([UInt16(2)]),
            EffectKey(Int8?(2)), EffectKey(Int?(2)), EffectKey(Int?.none), EffectKey(String?.none),
            EffectKey(true), EffectKey("é"), EffectKey("e\u{301}"),
        ]
        return small + large + others + keysOfNaN
    }

    private struct Position: Hashable, Sendable { var x = Double.nan, y = 1 }

    /// NaN in every place of a value, each twice.
    private static var keysOfNaN: [EffectKey] {
        (1...2).flatMap { _ in
            [
                EffectKey(Double.nan), EffectKey(Float.nan), EffectKey(Double?.some(.nan)),
                EffectKey([1, Double.nan]), EffectKey(["a": Double.nan]), EffectKey(Position()),
            ]
        }
    }

    @Test("SR-27: keys that are equal have one hash, and equality is symmetric and transitive")
    func lawful() {
        let keys = Self.keys
        for left in keys {
            #expect(left == left)
            for right in keys {
                #expect((left == right) == (right == left))
                if left == right { #expect(left.hashValue == right.hashValue, "\(left) \(right)") }
                for third in keys where left == right && right == third { #expect(left == third) }
            }
        }
    }

    @Test("SR-27: equal numbers are one key whatever their type") func numbers() {
        #expect(EffectKey(Int8(2)) == EffectKey(UInt16(2)))
        #expect(EffectKey(Int8(2)) == 2)
        #expect(EffectKey(2.0) == 2)
        #expect(EffectKey(UInt.max) == EffectKey(UInt64.max))
        #expect(EffectKey(UInt64(1) << 63) == EffectKey(0x1p63))
        #expect(EffectKey(Int128(1) << 100) == EffectKey(UInt128(1) << 100))
        #expect(EffectKey(UInt128(1) << 127) == EffectKey(Float(0x1p127)))
        #expect(EffectKey(Int8(2)) != EffectKey(UInt16(3)))
        #expect(EffectKey(Float(0.5)) == EffectKey(0.5))
        #expect(EffectKey(2.5) != 2)
        #expect(EffectKey(Float(0.1)) != EffectKey(0.1))
        #expect(EffectKey("2") != 2)
        #expect(Set([EffectKey(Int8(2)), EffectKey(UInt16(2)), 2]).count == 1)
        #expect("\(EffectKey(Int8(2)))" == "2")
    }

    #if arch(x86_64)
        @Test("SR-27: different numbers that are one number as a `Double` are two keys")
        func wideNumbers() {
            #expect(EffectKey(Float80(0.5)) == EffectKey(0.5))
            #expect(EffectKey(Float80(1) / 3) != EffectKey(1.0 / 3))
            #expect(EffectKey(Float80(1) / 3) == EffectKey(Float80(1) / 3))
            #expect(EffectKey(Float80.greatestFiniteMagnitude) != EffectKey(Double.infinity))
        }
    #endif

    @Test("SR-27: NaN is a key that is found again, in a value as well")
    func notANumber() {
        let keys = Self.keysOfNaN
        #expect(Set(keys).count == 5)
        #expect(Array(keys.prefix(keys.count / 2)) == Array(keys.suffix(keys.count / 2)))
        #expect(EffectKey([1, Double.nan]) != EffectKey([2, Double.nan]))
        #expect(EffectKey(Double.nan) != EffectKey(Double.infinity))
    }

    @Test(
        "SR-27: work under NaN is replaced, delayed and cancelled as under any key", arguments: [false, true])
    func workUnderNaN(isDelayed: Bool) {
        let works = Log<String>()
        let bench = EffectBench(
            works: works,
            .onEvent(
                { if case .set(let value?) = $0 { value } else { nil } }, key: { _ in Double.nan },
                policy: isDelayed ? .debounce(.seconds(1)) : .replace
            ) { works.work("\($0)") },
            .onEvent({ $0 == .flag(true) ? true : nil }) { _ in Effect<Signal>.cancel(EffectKey(Float.nan)) })
        bench.send(.set(1), .set(2))
        bench.advance(1)
        bench.send(.flag(true))
        #expect(works.entries == (isDelayed ? ["+2", "-2"] : ["+1", "-1", "+2", "-2"]))
    }

    private class Place: Hashable, @unchecked Sendable {
        let number: Int

        init(_ number: Int) { self.number = number }

        static func == (left: Place, right: Place) -> Bool { left.number == right.number }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }

    private final class Shelf: Place, @unchecked Sendable {}

    @Test("SR-27: equal objects of a class and of its subclass are one key")
    func objects() {
        #expect(EffectKey(Place(1)) == EffectKey(Shelf(1)))
        #expect(EffectKey(Shelf(1)) == EffectKey(Place(1)))
        #expect(EffectKey(Place(1)) != EffectKey(Shelf(2)))
        #expect(EffectKey(Place(1)) != 1)
    }

    @Test("SR-27: work under a key of one number type is cancelled by the same number of another")
    func cancelled() {
        let works = Log<String>()
        let bench = EffectBench(
            works: works,
            .onEvent(
                { if case .set(let value?) = $0 { value } else { nil } },
                key: { EffectKey(Int8(truncatingIfNeeded: $0)) }
            ) { works.work("\($0)") },
            .onEvent({ $0 == .flag(true) ? true : nil }) { _ in Effect<Signal>.cancel(EffectKey(UInt16(2))) })
        bench.send(.set(1), .set(2), .set(3), .flag(true))
        #expect(works.entries == ["+1", "+2", "+3", "-2"])
    }

    private struct Row: Hashable, Sendable { var id = 3 }

    @Test(
        "SR-27: the key of work is any hashable value",
        arguments: ["number", "text", "interpolation", "key", "value", "branches"])
    func closures(kind: String) {
        let works = Log<String>()
        let number = { @Sendable (signal: Signal) in
            if case .set(let value?) = signal { value } else { nil as Int? }
        }
        let work = { @Sendable (number: Int) in works.work("\(number)") }
        let (working, key): (Feedback<Board, Signal>, EffectKey) =
            switch kind {
            case "number": (.onEvent(number, key: { $0 }, effects: work), 3)
            case "text": (.onEvent(number, key: { $0.description }, effects: work), "3")
            case "interpolation": (.onEvent(number, key: { "row \($0)" }, effects: work), "row \(3)")
            case "key": (.onEvent(number, key: { EffectKey($0) }, effects: work), EffectKey(Int8(3)))
            case "value": (.onEvent(number, key: { Row(id: $0) }, effects: work), EffectKey(Row()))
            default:
                (
                    .onEvent(
                        number, key: { if $0 == 3 { "three" } else { $0 } }, policy: { _ in .drop },
                        effects: work),
                    "three"
                )
            }
        let bench = EffectBench(
            works: works, working,
            .onEvent({ $0 == .flag(true) ? true : nil }) { _ in Effect<Signal>.cancel(key) })
        bench.send(.set(3), .set(4), .flag(true))
        #expect(works.entries == ["+3", "+4", "-3"])
    }
}
