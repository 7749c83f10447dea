/// A value without its type, for code that only stores it and passes it on: such code is compiled once, and asks the
/// runtime for no type.
///
/// A trivial value of up to two words is stored inline; copies of the box share any other value.
@usableFromInline
package struct UntypedBox: Sendable {
    @usableFromInline
    enum Representation: Sendable {
        case inline(InlineValue)
        case object(any AnyObject & Sendable)
    }

    @usableFromInline
    final class Object<Value: Sendable>: Sendable {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: Value) { self.value = value }
    }

    @usableFromInline let content: Representation

    @inlinable
    package init<Value: Sendable>(_ value: Value) {
        content = InlineValue.holds(Value.self) ? .inline(InlineValue(value)) : .object(Object(value))
    }

    /// The value, which must be of this type: that is not checked.
    @inlinable
    package func value<Value: Sendable>(as _: Value.Type) -> Value {
        switch content {
        case .inline(let value): value.value(as: Value.self)
        case .object(let object): unsafeDowncast(object, to: Object<Value>.self).value
        }
    }
}
