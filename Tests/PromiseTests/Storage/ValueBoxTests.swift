import Testing

@testable import Promise

@Suite struct ValueBoxTests {
    private struct Refused: Error {}

    private struct Two: Equatable {
        var first = 1
        var second = 2.5
    }

    /// Calls `onEnd` when the last copy is released.
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

    @Test("A box returns its value, and a copy keeps the value when the box is changed")
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

    @Test("A value of size zero can be stored and changed")
    func empty() {
        var box: ValueBox<Void> = ValueBox(())
        box.change { $0 = () }
        #expect(Promise(box).fulfilledValue != nil)
    }

    @Test("Small trivial values are stored inline, others in an object that copies share")
    func objects() {
        func isWord<Value: Sendable>(_ value: Value) -> Bool {
            if case .inline = ValueBox(value).content { true } else { false }
        }
        #expect(isWord(1))
        #expect(isWord(Int?.some(1)))
        #expect(isWord(Two()))
        #expect(!isWord("a"))
        #expect(!isWord((1, 2, 3)))
        #expect(!isWord(SIMD2<Int>.zero))
    }

    @Test("A uniquely referenced value is changed in place, a shared one is copied")
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

    @Test("A value in an object of its own stays there while it is changed") func address() {
        func address(_ box: inout ValueBox<(Int, Int, Int)>) -> UInt {
            box.change { value in withUnsafePointer(to: &value) { UInt(bitPattern: $0) } }
        }
        var box = ValueBox((1, 2, 3))
        let before = address(&box)
        #expect(address(&box) == before)
        let copy = box
        #expect(address(&box) != before)
        #expect(copy.value == box.value)
    }

    @Test("A change that throws keeps the mutations before the throw")
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

    @Test("Copying a value does not copy its trailing padding, in which zip stores the next member")
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

    @Test("zip takes members that are empty, small or non-trivial, in any order")
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

    @Test("The value is released once, with the last of its boxes")
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
