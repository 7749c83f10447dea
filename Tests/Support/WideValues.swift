/// A value of many words that has a number.
package protocol WideValue: Sendable {
    var stamp: Int { get set }
}

/// Two values of one type in a row: twice as wide.
package struct Twice<Half: Sendable>: Sendable {
    package var left, right: Half
}

package typealias Times16<Part: Sendable> = Twice<Twice<Twice<Twice<Part>>>>
package typealias Times256<Part: Sendable> = Times16<Times16<Part>>

/// Words and nothing else.
package struct WideWords<Rest: Sendable>: WideValue {
    package var stamp: Int
    package var rest: Rest
}

/// As wide, and with objects to be retained and released.
package struct WideObjects<Rest: Sendable>: WideValue {
    package final class Object: Sendable {}

    package var stamp: Int
    package var object: Object?
    package var rest: Rest
}

package typealias KiB64 = WideWords<Times256<Times16<Twice<Int>>>>
package typealias MiB = WideWords<Times256<Times256<Twice<Int>>>>
package typealias KiB64Objects = WideObjects<Times256<Times16<WideObjects<Void>.Object?>>>

/// A wide value on the heap, to be copied from there: made without a stack that it fits on.
package final class Template<Value: WideValue>: Sendable {
    // Unsafe: all of its words are zero, which is valid for each of the types above. Never changed after its creation.
    nonisolated(unsafe) private let place: UnsafeMutablePointer<Value>

    package init(_: Value.Type, stamp: Int) {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<Value>.size)
        place = memory.assumingMemoryBound(to: Value.self)
        place.pointee.stamp = stamp
    }

    deinit { place.deinitialize(count: 1).deallocate() }

    package var value: Value { place.pointee }
}
