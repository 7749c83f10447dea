import Testing

@testable import Promise

@Suite struct ValueBoxTests {
    private struct Refused: Error {}

    private struct Two: Equatable {
        var first = 1
        var second = 2.5
    }

    /// Calls back when the last copy of it is gone.
    private final class Held: Sendable {
        let onEnd: @Sendable () -> Void

        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

        deinit { onEnd() }
    }

    private func roundTrip<Value: Equatable & Sendable>(_ value: Value, changed other: Value) {
        var box = ValueBox(value)
        let copy = box
        #expect(box.value == value)
        box.change { $0 = other }
        #expect(box.value == other)
        #expect(copy.value == value)
        #expect(Promise(box).settledOutcome?.failure == nil)
    }

    @Test("A box gives the value that it was given, and a copy of it keeps that")
    func roundTrips() {
        roundTrip(1, changed: 2)
        roundTrip(true, changed: false)
        roundTrip(Int?.none, changed: .some(-1))
        roundTrip(Two(), changed: Two(first: 7, second: 0))
        roundTrip("a text that is longer than sixteen bytes", changed: "")
        roundTrip([1, 2], changed: [])
        roundTrip(SIMD4<Int>(1, 2, 3, 4), changed: .zero)
        roundTrip(SIMD2<Int>(1, 2), changed: .zero)
        roundTrip(Two??.none, changed: .some(nil))
    }

    @Test("What is empty needs no place")
    func empty() {
        var box: ValueBox<Void> = ValueBox(())
        box.change { $0 = () }
        #expect(Promise(box).fulfilledValue != nil)
    }

    @Test("Small plain values take no object, others one that copies share")
    func objects() {
        func isWord<Value: Sendable>(_ value: Value) -> Bool {
            if case .word = ValueBox(value).content { true } else { false }
        }
        #expect(isWord(1))
        #expect(isWord(Int?.some(1)))
        #expect(isWord(Two()))
        #expect(!isWord("a"))
        #expect(!isWord((1, 2, 3)))
        #expect(!isWord(SIMD2<Int>.zero))
    }

    @Test("A value that no other box shares is changed in its place, another is copied")
    func place() {
        func place(_ box: inout ValueBox<[Int]>) -> UInt {
            box.change { list in list.withUnsafeMutableBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        }
        var box = ValueBox(Array(0..<100))
        let before = place(&box)
        box.change { $0[0] = 5 }
        #expect(place(&box) == before)
        let copy = box
        box.change { $0[0] = 6 }
        #expect(place(&box) != before)
        #expect((copy.value[0], box.value[0]) == (5, 6))
    }

    @Test("A change that throws leaves what it has changed")
    func throwing() {
        var (list, number) = (ValueBox([1]), ValueBox(1))
        #expect(throws: Refused.self) {
            try list.change { value throws(Refused) in
                value.append(2)
                throw Refused()
            }
        }
        #expect(throws: Refused.self) {
            try number.change { value throws(Refused) in
                value = 2
                throw Refused()
            }
        }
        #expect(list.value == [1, 2])
        #expect(number.value == 2)
    }

    @Test("A value is copied without what lies behind it: zip puts each member right behind the one before")
    func padding() {
        func touched<Value>(by value: Value) -> Int {
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 16)
            defer { room.deallocate() }
            room.initializeMemory(as: UInt8.self, repeating: 0xA5)
            let source = UnsafeMutablePointer<Value>.allocate(capacity: 1)
            defer { source.deallocate() }
            UnsafeMutableRawPointer(source).initializeMemory(
                as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.stride)
            source.initialize(to: value)
            room.baseAddress?.assumingMemoryBound(to: Value.self).initialize(copying: source)
            return (room.lastIndex { $0 != 0xA5 } ?? -1) + 1
        }
        #expect(touched(by: ()) == 0)
        #expect(touched(by: Int?.some(1)) == MemoryLayout<Int?>.size)
        #expect(touched(by: (1, true)) == MemoryLayout<(Int, Bool)>.size)
    }

    @Test("zip takes members that are empty, small, or no plain values, in any order")
    func zipped() throws {
        func value<Value>(of promise: Promise<Value>) throws -> Value {
            promise.done { _ in }
            return try #require(promise.result).get()
        }
        let text = "a text that is longer than sixteen bytes"
        let named = try value(of: Promise.zip(Promise.value(text), Promise.value(())))
        #expect(named.0 == text)
        let four = try value(
            of: Promise.zip(Promise.value(text), Promise.value(true), Promise.value(()), Promise.value(7)))
        #expect((four.0, four.1, four.3) == (text, true, 7))
        let numbers = try value(
            of: Promise.zip(Promise.value(1), Promise.value(Int?.some(2)), Promise.value(())))
        #expect((numbers.0, numbers.1) == (1, 2))
    }

    @Test("The value goes with the last of its boxes, once")
    func end() {
        let ends = Counter()
        do {
            var box = ValueBox((1, Held { ends.up() }, 2))
            let copy = box
            box.change { $0.0 = 3 }
            #expect(copy.value.0 == 1)
            #expect(ends.value == 0)
        }
        #expect(ends.value == 1)
    }
}
