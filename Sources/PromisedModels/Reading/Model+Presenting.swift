public import PromisedSystem

// Bindings for presentations: a sheet, an alert, a stack of screens. Only the owner can present something; the
// bindings take it away, and follow it.
extension Model {
    /// A binding to an optional child, to present it for as long as it exists: `.sheet(item: app.item(\.sheet).binding)`.
    ///
    /// - Parameter path: Its state, as listed in ``children``. Setting the binding to nil sets the state to nil; setting
    ///   a model is a no-op.
    public func item<Element: Model>(
        _ path: any WritableKeyPath<State, Element.State?> & Sendable
    ) -> EventBinding<Element?> {
        EventBinding(read: { optionalChild(path) }) { [state = context.state] item in
            if item == nil { state[dynamicMember: path] = nil }
        }
    }

    /// A binding to an optional child that is declared with ``StateModel``.
    ///
    /// - Parameter path: The projected value of the property, as `\.$sheet`.
    public func item<Element: Model>(
        _ path: any WritableKeyPath<State, StateModel<Element?>> & Sendable
    ) -> EventBinding<Element?> { item(statePath(path)) }

    /// A binding to the child that exists while an optional enum is in one case: one enum has the sheets, alerts and
    /// popovers of a screen, of which there is at most one.
    ///
    /// - Parameters:
    ///   - path: The enum, as listed in ``children``. Setting the binding to nil sets it to nil, unless it is in another
    ///     case; setting a model is a no-op.
    ///   - state: The case, as listed there.
    public func item<Root, Element: Model>(
        _ path: any WritableKeyPath<State, Root?> & Sendable, case state: CasePath<Root, Element.State>
    ) -> EventBinding<Element?> {
        EventBinding(read: { child(path, case: state) }) { [context] item in
            guard item == nil else { return }
            context.state.update { whole in
                if whole[keyPath: path].flatMap(state.extract) != nil { whole[keyPath: path] = nil }
            }
        }
    }

    /// A binding to the identities of the models in an array, the last of which is on top of a stack of screens:
    /// `NavigationStack(path: app.stack(\.screens, Screen.self).binding)`.
    ///
    /// - Parameters:
    ///   - path: The array, as listed in ``children``. Setting the binding keeps the elements whose identities are set,
    ///     in that order; an identity that is not in the array is ignored, as only the owner can add its state.
    ///   - type: The type of the models.
    public func stack<Element: Model>(
        _ path: any WritableKeyPath<State, [Element.State]> & Sendable, _ type: Element.Type
    ) -> EventBinding<[Element.State.ID]> where Element.State: Identifiable, Element.State.ID: Sendable {
        EventBinding(
            read: {
                let models: ArrayModels<Element> = children(path)
                return models.map { $0.nonObservableState.id }
            },
            send: { [context] ids in
                context.state.update { state in
                    let present = state[keyPath: path]
                    state[keyPath: path] = ids.compactMap { id in present.first { $0.id == id } }
                }
            })
    }
}
