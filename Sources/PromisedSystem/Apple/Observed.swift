#if canImport(SwiftUI)
    public import SwiftUI

    /// The value of a source in a SwiftUI view: the view is drawn again when it has changed, on the main thread,
    /// wherever the owner of the source delivers.
    ///
    /// Given another source, the view shows that.
    @propertyWrapper
    public struct Observed<Value: Sendable>: DynamicProperty {
        private let source: Source<Value>
        @State private var delivery = MainDelivery<Value>()

        /// - Parameter source: What to show; most often `settled` or `shown` of a part of a system.
        public init(_ source: Source<Value>) { self.source = source }

        /// The value that was delivered last.
        public var wrappedValue: Value { projectedValue.value }

        /// The source of it, which delivers on the main thread: for bindings, and for parts that are observed by
        /// themselves.
        public var projectedValue: Source<Value> { delivery.of(source) }
    }
#endif
