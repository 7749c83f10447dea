public import PromisedSystem

/// A value in memory while that is not changed: under the lock of its store, or in a copy.
///
/// Passed by its address, as each level on the way to a state would otherwise retain its contents. It is valid
/// inside of the closure that it is passed to.
@usableFromInline
struct Place<Value> {
    @usableFromInline let address: UnsafePointer<Value>

    @inlinable
    init(_ address: UnsafePointer<Value>) { self.address = address }

    /// A copy of the value.
    @inlinable var value: Value { address.pointee }

    /// The place of a stored property.
    @inlinable
    func stored<Part>(_: Part.Type, at offset: Int) -> Place<Part> {
        Place<Part>((UnsafeRawPointer(address) + offset).assumingMemoryBound(to: Part.self))
    }

    /// Passes the place of a property to a closure; a computed one is in a copy.
    @inlinable
    func part<Part>(_ part: Projection<Value, Part>, _ body: (Place<Part>) -> Void) {
        if let offset = part.offset { return body(stored(Part.self, at: offset)) }
        Place<Part>.passing(value[keyPath: part.path], body)
    }

    /// Passes the place of a copy to a closure.
    @inlinable
    static func passing<Result>(_ value: Value, _ body: (Place) -> Result) -> Result {
        withUnsafePointer(to: value) { body(Place($0)) }
    }

    /// Passes the element of an array with a property to a closure, which is probably at an index; false if there is
    /// none.
    @inlinable
    func element<Element>(
        near index: Int, where isSearched: (borrowing Element) -> Bool, _ body: (Place<Element>) -> Void
    ) -> Bool where Value == [Element] {
        address.pointee.withUnsafeBufferPointer { elements in
            let isNear = index < elements.count && isSearched(elements[index])
            guard let place = isNear ? index : elements.indices.first(where: { isSearched(elements[$0]) }),
                let start = elements.baseAddress
            else { return false }
            body(Place<Element>(start + place))
            return true
        }
    }
}

@available(*, unavailable)
extension Place: Sendable {}
