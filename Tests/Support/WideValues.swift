/// A value of many words that knows its number.
package protocol WideValue: Sendable {
    var stamp: Int { get set }
}

/// Two of a kind, one behind the other: twice as wide.
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

/// A wide value on the heap, from where it is copied: made without a stack that it fits on.
package final class Template<Value: WideValue>: Sendable {
    // Unsafe as all of its words are zero, which each of the types above can be. Never changed once it is made.
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
