/// A view that has a model and renders it.
///
/// ```swift
/// final class Label: Renderer {
///     @Source var model: String
///     private(set) var text = ""
///
///     init(_ model: Source<String>) { _model = model }
///
///     func render() { text = model }
/// }
/// await MainActor.run {
///     let label = Label(.constant("Hello"))
///     label.render()
///     print(label.text)
/// }
/// ```
///
/// A class that declares its model with ``Source`` is subscribed when it first reads it: from then on every change
/// calls ``render()`` for the lifetime of the object, without a token to retain. A struct is re-rendered by the view
/// that creates it, and needs no `render()`.
@MainActor
public protocol Renderer: Sendable {
    associatedtype Model: Sendable

    /// The value that the view renders.
    var model: Model { get }

    /// Renders the model. Called on the main actor after each change, for a class that declares its model with
    /// ``Source``.
    func render()
}

extension Renderer {
    /// The default implementation, a no-op: for a view that another view or a framework renders.
    public func render() {}
}
