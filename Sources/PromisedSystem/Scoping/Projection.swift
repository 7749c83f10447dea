/// A property of a struct, reached by its place in memory where that is known, and by the key path else.
///
/// Going through a key path costs several times what the rest of an event does. Unsafe, and sound: the offset that the
/// language gives for a stored property is that of a value of exactly this type, and is used inside a struct that is
/// held for as long.
@usableFromInline
struct Projection<Root, Value>: Sendable {
    @usableFromInline let path: any WritableKeyPath<Root, Value> & Sendable
    @usableFromInline let offset: Int?

    @inlinable
    init(_ path: any WritableKeyPath<Root, Value> & Sendable) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path)
    }

    /// Looks at the property, without a copy.
    @inlinable
    func read<Result>(_ root: Root, _ body: (borrowing Value) -> Result) -> Result {
        guard let offset else { return body(root[keyPath: path]) }
        return withUnsafePointer(to: root) { pointer in
            body((UnsafeRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }

    /// Changes the property where it is.
    @inlinable
    func change<Result>(_ root: inout Root, _ body: (inout Value) -> Result) -> Result {
        guard let offset else { return body(&root[keyPath: path]) }
        return withUnsafeMutablePointer(to: &root) { pointer in
            body(&(UnsafeMutableRawPointer(pointer) + offset).assumingMemoryBound(to: Value.self).pointee)
        }
    }
}
