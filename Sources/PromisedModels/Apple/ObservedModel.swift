#if canImport(SwiftUI)
    internal import PromisedSystem
    public import SwiftUI

    /// Gives a SwiftUI view its model, and bindings to the properties that the model's state declares with
    /// ``Writable``.
    ///
    /// <!-- fence: frameworks -->
    /// ```swift
    /// import PromisedModels
    /// import SwiftUI
    ///
    /// nonisolated struct Profile: Model {
    ///     struct State: Equatable {
    ///         @Writable var name = ""
    ///         var visits = 0
    ///     }
    ///     let context: ModelContext<Profile>
    /// }
    ///
    /// struct ProfileView: View {
    ///     @ObservedModel var profile: Profile
    ///
    ///     var body: some View {
    ///         Form {
    ///             TextField("Name", text: $profile.$name)
    ///             Text("\(profile.visits) visits")
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// The view is updated when a property that its `body` has read through the model becomes unequal; a binding reads
    /// its property when it is created. Otherwise it is updated only with the view that creates it. The model keeps its
    /// store. Give views the models of a store on the main queue, which is the default: whatever thread writes, its
    /// observers are notified on the main thread.
    @propertyWrapper @dynamicMemberLookup
    public struct ObservedModel<M: Model>: DynamicProperty, Sendable {
        /// The model.
        public let wrappedValue: M

        /// Declares the model of a view.
        public init(wrappedValue: M) { self.wrappedValue = wrappedValue }

        /// The wrapper itself, for its bindings: `$profile.$name`.
        public var projectedValue: ObservedModel { self }

        /// A SwiftUI binding to a property that is declared with ``Writable``. Setting it writes to the store at once.
        public subscript<Value: Equatable & Sendable>(
            dynamicMember path: any WritableKeyPath<M.State, Writable<Value>> & Sendable
        ) -> Binding<Value> { wrappedValue[dynamicMember: path].binding }
    }
#endif
