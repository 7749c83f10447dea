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
        content = Word.holds(Value.self) ? .word(Word(value)) : .cell(Link(Cell.fulfilled(with: value)))
    }

    /// The value, copied out.
    @inlinable package var value: Value {
        if Word.holds(Value.self) { return content.word.value(as: Value.self) }
        return content.cell.value(as: Value.self)
    }

    /// Another box of the value. As a copy of this one, but that the compiler sees that a small plain value counts no
    /// reference.
    @inlinable package var shared: ValueBox {
        Word.holds(Value.self) ? ValueBox(content: .word(content.word)) : self
    }

    /// Changes the value where it is, if no other box shares it; else in a copy.
    @inlinable
    package mutating func change<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if Word.holds(Value.self) { return try changeWord(body) }
        var cell = content.cell
        // Out of the box, so that it is not counted there.
        content = .word(Word())
        if !isKnownUniquelyReferenced(&cell) { cell = Cell.fulfilled(as: Value.self, from: cell) }
        defer { content = .cell(Link(cell)) }
        return try body(&cell.payload(of: Value.self).pointee)
    }

    @inlinable
    mutating func changeWord<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = self.value
        defer { content = .word(Word(value)) }
        return try body(&value)
    }
}

/// What a box holds; not generic, so that its layout is known everywhere.
@usableFromInline
enum BoxContent: Sendable {
    case word(Word)
    /// A cell that is fulfilled.
    case cell(Link)

    /// What is asked for depends on the type of the value alone, as what lies here does.
    @inlinable var word: Word { if case .word(let word) = self { word } else { Word() } }

    @inlinable var cell: Cell {
        guard case .cell(let link) = self else {
            preconditionFailure("A box of a large value holds no cell.")
        }
        return link.cell
    }
}

/// The bytes of a plain value that is no larger than two words.
@usableFromInline
struct Word: Sendable {
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

extension Cell {
    /// A cell that is fulfilled from the start; its value is still to be written.
    @inlinable
    static func fulfilled<Value>(_: Value.Type) -> Cell {
        Cell.make(
            Value.self, flags: Flags.claimed, origin: Origin(place: 0), settled: true,
            step: { cell, _, _ in cell.dispose(Value.self) })
    }

    @inlinable
    static func fulfilled<Value>(with value: borrowing Value) -> Cell {
        let cell = fulfilled(Value.self)
        cell.write(value)
        return cell
    }

    @inlinable
    static func fulfilled<Value>(as _: Value.Type, from other: Cell) -> Cell {
        let cell = fulfilled(Value.self)
        cell.payload(of: Value.self).initialize(copying: other.payload(of: Value.self))
        return cell
    }

    /// Writes the value that it is fulfilled with.
    @inlinable
    func write<Value>(_ value: borrowing Value) {
        if Word.holds(Value.self) { put(word: Word(value)) } else { writeFar(value) }
    }

    // From where the value is, and not by way of the stack, as it would be inlined.
    @inlinable @inline(never)
    func writeFar<Value>(_ value: borrowing Value) {
        withUnsafePointer(to: value) { payload(of: Value.self).initialize(copying: $0) }
    }

    /// The value that it was fulfilled with, or reports.
    @inlinable
    func box<Value: Sendable>(of _: Value.Type) -> ValueBox<Value> {
        Word.holds(Value.self)
            ? ValueBox(content: .word(Word(payload(of: Value.self).pointee)))
            : ValueBox(content: .cell(Link(self)))
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
