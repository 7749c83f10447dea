#if canImport(SwiftUI)
    public import SwiftUI

    extension EventBinding {
        /// A SwiftUI binding to the same value: setting it sends an event.
        public var binding: Binding<Value> {
            Binding(get: { value }, set: { value = $0 })
        }
    }
#endif
