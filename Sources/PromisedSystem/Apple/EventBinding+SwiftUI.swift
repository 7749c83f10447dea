#if canImport(SwiftUI)
    public import SwiftUI

    extension EventBinding {
        /// A SwiftUI binding to the same value: setting it sends an event, in the transaction of the binding. So
        /// `binding.animation()` animates a change that the system shows before the event has been sent, as one on the
        /// main queue does unless it is busy.
        public var binding: Binding<Value> {
            Binding(
                get: { value },
                set: { newValue, transaction in withTransaction(transaction) { value = newValue } })
        }
    }
#endif
