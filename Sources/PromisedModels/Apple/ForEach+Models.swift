#if canImport(SwiftUI)
    public import SwiftUI

    extension ForEach
    where
        Data.Element: Model, Data.Element.State: Identifiable, Data.Element.State.ID: Sendable,
        ID == Data.Element.State.ID, Content: View
    {
        /// Creates a view for each model of a list, by the identities of their states: `ForEach(model.$rows) { … }`.
        ///
        /// - Parameters:
        ///   - models: The models, which need not be `Identifiable` themselves.
        ///   - content: Creates the view of a model. Called on the main actor, whenever the list is rendered.
        @_disfavoredOverload
        public init(_ models: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
            self.init(models, id: \.id, content: content)
        }
    }
#endif
