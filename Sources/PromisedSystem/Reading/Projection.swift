/// Accesses a property by its memory offset where that is known, otherwise by its key path.
///
/// Access through a key path costs several times as much as the rest of processing an event. This uses unsafe pointers;
/// it is sound because the offset that the language gives for a stored property is valid for any value of exactly this
/// type, and is only used while access to that value is held.
@usableFromInline
package struct Projection<Root, Value>: Sendable {
    @usableFromInline package let path: any WritableKeyPath<Root, Value> & Sendable
    @usableFromInline package let offset: Int?

    @inlinable
    package init(_ path: any WritableKeyPath<Root, Value> & Sendable) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path)
    }

    /// Reads the property without copying it.
    @inlinable
    package func read<Result>(_ root: Root, _ body: (borrowing Value) -> Result) -> Result {
        guard let offset else { return body(root[keyPath: path]) }
        return withUnsafePointer(to: root) { pointer in
            body((UnsafeRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// Mutates the property in place.
    @inlinable
    package func change<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
        guard let offset else { return body(&root[keyPath: path]) }
        return withUnsafeMutablePointer(to: &root) { pointer in
            body(&(UnsafeMutableRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }
}
