#if canImport(SwiftUI)
    public import SwiftUI

    /// A view that is written inline, and updated by itself when what it reads of a model becomes unequal: the view
    /// around it is not.
    ///
    /// <!-- fence: frameworks -->
    /// ```swift
    /// import PromisedModels
    /// import SwiftUI
    ///
    /// nonisolated struct Counter: Model {
    ///     struct State: Equatable { var count = 0 }
    ///     let context: ModelContext<Counter>
    ///     func incrementTapped() { context.state.count += 1 }
    /// }
    ///
    /// struct CounterForm: View {
    ///     let counter: Counter
    ///
    ///     var body: some View {
    ///         Form {
    ///             Button("Increment") { counter.incrementTapped() }
    ///             UsingModel(counter) { counter in Text("\(counter.count)") }
    ///         }
    ///     }
    /// }
    /// ```
    public struct UsingModel<M: Model, Content: View>: View {
        @ObservedModel private var model: M
        private let content: (M) -> Content

        /// Creates a view of a model.
        ///
        /// - Parameters:
        ///   - model: The model.
        ///   - content: Makes the view. Called on the main actor, for each rendering; its reads through the argument
        ///     are observed.
        public init(_ model: M, @ViewBuilder content: @escaping (M) -> Content) {
            _model = ObservedModel(wrappedValue: model)
            self.content = content
        }

        /// The content.
        public var body: some View { content(model) }
    }
#endif
