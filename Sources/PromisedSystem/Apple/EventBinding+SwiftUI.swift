#if canImport(SwiftUI)
    public import SwiftUI

    extension EventBinding {
        /// The same value for a control: what that writes is sent.
        public var binding: Binding<Value> {
            Binding(get: { value }, set: { value = $0 })
        }
    }
#endif
