/// A container of fixed size in which the library passes values of any type: a large value, for example an inline array
/// of a thousand numbers, takes no stack space in the functions that pass it on.
///
/// A trivial value of up to two words is stored inline. Any other value is stored in a fulfilled ``PromiseStorage``
/// that all copies of the box share; it is immutable but for ``change(_:)``, which copies it unless the box is the only
/// one.
@usableFromInline
package struct ValueBox<Value: Sendable>: Sendable {
    @usableFromInline package internal(set) var content: BoxContent

    @inlinable
    package init(content: BoxContent) { self.content = content }

    @inlinable
    package init(_ value: borrowing Value) {
        content =
            InlineValue.holds(Value.self)
            ? .inline(InlineValue(value)) : .storage(StorageReference(PromiseStorage.fulfilled(with: value)))
    }

    /// A copy of the value.
    @inlinable package var value: Value {
        if InlineValue.holds(Value.self) { return content.inlineValue.value(as: Value.self) }
        return content.storage.value(as: Value.self)
    }

    /// Passes the address of the value to `body`, during which the box must not be changed.
    @inlinable
    package func withAddress<Result>(_ body: (UnsafePointer<Value>) -> Result) -> Result {
        if InlineValue.holds(Value.self) { return withUnsafePointer(to: value, body) }
        return body(UnsafePointer(content.storage.payload(of: Value.self)))
    }

    /// A copy of this box. Unlike with a plain copy, the compiler sees that an inline value needs no reference
    /// counting.
    @inlinable package var shared: ValueBox {
        InlineValue.holds(Value.self) ? ValueBox(content: .inline(content.inlineValue)) : self
    }

    /// Whether values of this type are stored inline, so that copies of a box share nothing.
    @inlinable package static var isInline: Bool { InlineValue.holds(Value.self) }

    /// Replaces this box by a copy of another. Unlike with an assignment, the compiler sees that an inline value needs
    /// no reference counting.
    ///
    /// - Returns: What this box referred to; nil for an inline value.
    @inlinable
    package mutating func exchange(for other: ValueBox) -> ValueBox? {
        guard Self.isInline else {
            defer { self = other }
            return self
        }
        let inlineValue = other.content.inlineValue
        // The old content is not released: it holds no reference.
        withUnsafeMutablePointer(to: &content) { $0.initialize(to: .inline(inlineValue)) }
        return nil
    }

    /// Moves the content out. This box must not be used until another one is assigned to it.
    @inlinable
    package mutating func take() -> ValueBox {
        defer { content = .inline(InlineValue()) }
        return ValueBox(content: content)
    }

    /// Changes the value in place if no other box shares it, otherwise after copying it.
    @inlinable
    package mutating func change<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if InlineValue.holds(Value.self) { return try changeInline(body) }
        var storage = content.storage
        // Removes the box's own reference, so that the check for uniqueness does not count it.
        content = .inline(InlineValue())
        if !isKnownUniquelyReferenced(&storage) {
            storage = PromiseStorage.fulfilled(as: Value.self, from: storage)
        }
        defer { content = .storage(StorageReference(storage)) }
        return try body(&storage.payload(of: Value.self).pointee)
    }

    @inlinable
    mutating func changeInline<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var value = self.value
        defer { content = .inline(InlineValue(value)) }
        return try body(&value)
    }
}

/// The content of a ``ValueBox``; not generic, so that its layout is statically known everywhere.
@usableFromInline
package enum BoxContent: Sendable {
    case inline(InlineValue)
    /// A fulfilled storage.
    case storage(StorageReference)

    /// Callers choose between `inlineValue` and `storage` by the type of the value, which also determines the case.
    @inlinable var inlineValue: InlineValue {
        if case .inline(let value) = self { value } else { InlineValue() }
    }

    @inlinable var storage: PromiseStorage {
        guard case .storage(let reference) = self else {
            preconditionFailure("A ValueBox of a value that is not stored inline holds no PromiseStorage.")
        }
        return reference.storage
    }
}

extension PromiseStorage {
    /// Allocates a fulfilled storage whose value the caller must still write.
    @inlinable
    static func fulfilled<Value>(_: Value.Type) -> PromiseStorage {
        PromiseStorage.make(
            Value.self, flags: .claimed, origin: Origin(place: 0),
            step: { storage, _, event in storage.dispose(Value.self, on: event) })
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

    /// A tuple of the values of fulfilled storages, copied straight into its memory instead of by way of the stack: the
    /// elements of a tuple are laid out in order, each aligned.
    static func tuple<each Element: Sendable>(of elements: [StorageReference]) -> ValueBox<
        (repeat each Element)
    > {
        let tuple = fulfilled((repeat each Element).self)
        var rest = UnsafeMutableRawPointer(tuple.payload(of: (repeat each Element).self))
        var index = 0
        func put<Next>(_: Next.Type) {
            let next = rest.alignedUp(for: Next.self).assumingMemoryBound(to: Next.self)
            next.initialize(copying: elements[index].storage.payload(of: Next.self))
            rest = UnsafeMutableRawPointer(next) + MemoryLayout<Next>.size
            index += 1
        }
        repeat put((each Element).self)
        return tuple.box(of: (repeat each Element).self)
    }

    /// A box of the value of a fulfilled storage, or of an interim value.
    @inlinable
    func box<Value: Sendable>(of _: Value.Type) -> ValueBox<Value> {
        InlineValue.holds(Value.self)
            ? ValueBox(content: .inline(InlineValue(payload(of: Value.self).pointee)))
            : ValueBox(content: .storage(StorageReference(self)))
    }
}
