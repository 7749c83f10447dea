/// The contract of a view: it has a model, and can be drawn.
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
/// calls ``render()``, as long as the object lives. Nothing else need be done, and nothing kept. A struct is drawn by
/// whoever made it, and needs no `render()`.
@MainActor
public protocol Renderer: Sendable {
    associatedtype Model: Sendable

    /// What is to be shown.
    var model: Model { get }

    /// Shows the model. Called on the main actor, after each change.
    func render()
}

extension Renderer {
    /// Does nothing: for a view that is drawn by whoever reads its model.
    public func render() {}
}
