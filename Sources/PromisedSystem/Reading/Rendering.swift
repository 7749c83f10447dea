/// A renderer's subscription to a source, with the properties of the renderer that hold that source.
@MainActor
final class Rendering {
    private var properties: [AnyKeyPath: @MainActor () -> Bool] = [:]
    private let render: @MainActor () -> Void
    /// Cancels the subscription.
    var token: SubscriptionToken?

    init(_ render: @escaping @MainActor () -> Void) { self.render = render }

    /// - Parameter hasSource: Whether the property still holds the source.
    func add(_ property: AnyKeyPath, _ hasSource: @escaping @MainActor () -> Bool) {
        if properties[property] == nil { properties[property] = hasSource }
    }

    /// Renders, or cancels the subscription if no property holds the source any more. Called on every change.
    func sourceChanged() {
        properties = properties.filter { $0.value() }
        if properties.isEmpty { token?.cancel() } else { render() }
    }
}

extension Source {
    /// Renders a view when this source changes, for as long as one of the view's properties holds it.
    @MainActor
    func keepRendered<View: Renderer & AnyObject>(_ view: View, _ property: KeyPath<View, Source>) {
        let known = identity.objects.all(of: view, at: identity.key).lazy.compactMap(\.rendering).first
        let rendering = known ?? subscribe(view)
        rendering.add(property) { [weak view, id = identity.id] in
            view.map { $0[keyPath: property].identity.id == id } ?? false
        }
    }

    @MainActor
    private func subscribe<View: Renderer & AnyObject>(_ view: View) -> Rendering {
        let rendering = Rendering { [weak view] in view?.render() }
        let callback = Callback<Value> { @MainActor _ in rendering.sourceChanged() }
        rendering.token = subscribe(view, callback, false, for: rendering)
        return rendering
    }
}
