/// A value on its way through the library, in the same few words whatever its type: so what is wide, say an array of a
/// thousand numbers inline, takes no room on the stack of those who pass it on.
///
/// A plain value of up to two words lies right here. Any other lies in a cell that is fulfilled, which all copies of the
/// box share, and nobody changes but ``change(_:)`` of the only one.
@usableFromInline
package struct ValueBox<Value: Sendable>: Sendable {
    @usableFromInline var content: BoxContent

    @inlinable
    init(content: BoxContent) { self.content = content }

    @inlinable
    package init(_ value: borrowing Value) {
        content =
            InlineValue.holds(Value.self)
            ? .word(InlineValue(value)) : .storage(StorageReference(PromiseStorage.fulfilled(with: value)))
    }

    /// The value, copied out.
    @inlinable package var value: Value {
        if InlineValue.holds(Value.self) { return content.word.value(as: Value.self) }
        return content.storage.value(as: Value.self)
    }

    /// Another box of the value. As a copy of this one, but that the compiler sees that a small plain value counts no
    /// reference.
    @inlinable package var shared: ValueBox {
        InlineValue.holds(Value.self) ? ValueBox(content: .word(content.word)) : self
    }

    /// Changes the value where it is, if no other box shares it; else in a copy.
    @inlinable
    package mutating func change<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if InlineValue.holds(Value.self) { return try changeWord(body) }
        var storage = content.storage
        // Out of the box, so that it is not counted there.
        content = .word(InlineValue())
        if !isKnownUniquelyReferenced(&storage) {
            storage = PromiseStorage.fulfilled(as: Value.self, from: storage)
        }
        defer { content = .storage(StorageReference(storage)) }
        return try body(&storage.payload(of: Value.self).pointee)
    }

    @inlinable
    mutating func changeWord<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = self.value
        defer { content = .word(InlineValue(value)) }
        return try body(&value)
    }
}

/// What a box holds; not generic, so that its layout is known everywhere.
@usableFromInline
enum BoxContent: Sendable {
    case word(InlineValue)
    /// A cell that is fulfilled.
    case storage(StorageReference)

    /// What is asked for depends on the type of the value alone, as what lies here does.
    @inlinable var word: InlineValue { if case .word(let word) = self { word } else { InlineValue() } }

    @inlinable var storage: PromiseStorage {
        guard case .storage(let reference) = self else {
            preconditionFailure("A box of a large value holds no cell.")
        }
        return reference.storage
    }
}

/// The bytes of a plain value that is no larger than two words.
@usableFromInline
struct InlineValue: Sendable {
    @usableFromInline var words: (UInt64, UInt64) = (0, 0)

    @inlinable
    init() {}

    /// Whether values of this type are kept so: then they are bytes and nothing else.
    @inlinable @inline(__always)
    static func holds<Value>(_: Value.Type) -> Bool {
        _isPOD(Value.self) && MemoryLayout<Value>.size <= 16 && MemoryLayout<Value>.alignment <= 8
    }

    @inlinable
    init<Value>(_ value: borrowing Value) {
        words = withUnsafePointer(to: value) { value in
            var words: (UInt64, UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &words) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: value, count: MemoryLayout<Value>.size))
            }
            return words
        }
    }

    @inlinable
    func value<Value>(as _: Value.Type) -> Value {
        withUnsafeBytes(of: words) { $0.load(as: Value.self) }
    }
}

extension PromiseStorage {
    /// A cell that is fulfilled from the start; its value is still to be written.
    @inlinable
    static func fulfilled<Value>(_: Value.Type) -> PromiseStorage {
        PromiseStorage.make(
            Value.self, flags: Flags.claimed, origin: Origin(place: 0), settled: true,
            step: { storage, _, _ in storage.dispose(Value.self) })
    }

    @inlinable
    static func fulfilled<Value>(with value: borrowing Value) -> PromiseStorage {
        let storage = fulfilled(Value.self)
        storage.write(value)
        return storage
    }

    @inlinable
    static func fulfilled<Value>(as _: Value.Type, from other: PromiseStorage) -> PromiseStorage {
        let storage = fulfilled(Value.self)
        storage.payload(of: Value.self).initialize(copying: other.payload(of: Value.self))
        return storage
    }

    /// Writes the value that it is fulfilled with.
    @inlinable
    func write<Value>(_ value: borrowing Value) {
        if InlineValue.holds(Value.self) { put(word: InlineValue(value)) } else { writeFar(value) }
    }

    // From where the value is, and not by way of the stack, as it would be inlined.
    @inlinable @inline(never)
    func writeFar<Value>(_ value: borrowing Value) {
        withUnsafePointer(to: value) { payload(of: Value.self).initialize(copying: $0) }
    }

    /// The value that it was fulfilled with, or reports.
    @inlinable
    func box<Value: Sendable>(of _: Value.Type) -> ValueBox<Value> {
        InlineValue.holds(Value.self)
            ? ValueBox(content: .word(InlineValue(payload(of: Value.self).pointee)))
            : ValueBox(content: .storage(StorageReference(self)))
    }
}

extension UnsafeMutablePointer {
    /// Copies a value from where it lies, and nothing but the value: the standard library's form takes the padding behind
    /// plain bytes along, a byte even of what is empty, and there need be no room for that.
    @inlinable
    func initialize(copying source: UnsafePointer<Pointee>) {
        if _isPOD(Pointee.self) {
            UnsafeMutableRawPointer(self).copyMemory(from: source, byteCount: MemoryLayout<Pointee>.size)
        } else {
            initialize(from: source, count: 1)
        }
    }
}
