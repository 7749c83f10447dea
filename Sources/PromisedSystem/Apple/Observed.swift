#if canImport(SwiftUI)
    public import SwiftUI

    /// Exposes the value of a source to a SwiftUI view, which is updated on the main thread when the value changes,
    /// regardless of where the owner of the source delivers.
    ///
    /// If the view is re-created with another source, it shows that one.
    @propertyWrapper
    public struct Observed<Value: Sendable>: DynamicProperty {
        private let source: Source<Value>
        @State private var delivery = MainDelivery<Value>()

        /// - Parameter source: The source to observe, usually `settled` or `shown` of a part of a system.
        public init(_ source: Source<Value>) { self.source = source }

        /// The value that was last delivered on the main thread.
        public var wrappedValue: Value { projectedValue.value }

        /// The source, delivered on the main thread: for bindings, and for reading properties that are tracked
        /// separately.
        public var projectedValue: Source<Value> { delivery.of(source) }
    }

    @available(*, unavailable)
    extension Observed: Sendable {}
#endif
