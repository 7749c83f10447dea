/// The events of a stack of screens; see ``Reducer/stack()``.
///
/// ```swift
/// let screens = System<[String], StackEvent<String>>(
///     initialState: [], scheduler: .immediate, reducer: .stack())
/// for event in [.pop, .push("list"), .push("detail"), .pop] as [StackEvent<String>] { screens.sendEvent(event) }
/// print(screens.state)
/// ```
public enum StackEvent<Screen: Sendable>: Sendable {
    /// Pushes a screen on top of the stack.
    case push(Screen)
    /// Removes the top screen; a no-op if the stack is empty.
    case pop
    /// Removes screens from the top until this many are left; a no-op if there are not more.
    case popTo(count: Int)
    /// Replaces the whole stack, to open a link or to restore a session.
    case set([Screen])
}

extension StackEvent: Equatable where Screen: Equatable {}
extension StackEvent: Hashable where Screen: Hashable {}

/// The events of an optional item; see ``Reducer/item()``.
public enum ItemEvent<Item: Sendable>: Sendable {
    /// Shows an item, replacing the current one, if any.
    case show(Item)
    /// Removes the item; a no-op if there is none.
    case dismiss
}

extension ItemEvent: Equatable where Item: Equatable {}
extension ItemEvent: Hashable where Item: Hashable {}

// Navigation as state: each reducer alone, and then embedded in a whole.
extension Reducer {
    /// A reducer for a stack of screens: an array, whose last element is on top.
    public static func stack<Screen>() -> Reducer where State == [Screen], Event == StackEvent<Screen> {
        Reducer { screens, event in
            switch event {
            case .push(let screen): screens.append(screen)
            case .pop: _ = screens.popLast()
            case .popTo(let count): screens.removeLast(max(0, screens.count - max(0, count)))
            case .set(let others): screens = others
            }
        }
    }

    /// A reducer for an optional item that is removed immediately. Use a ``Presentation`` if it must still be drawn
    /// while it is dismissed.
    public static func item<Item>() -> Reducer where State == Item?, Event == ItemEvent<Item> {
        Reducer { item, event in
            switch event {
            case .show(let next): item = next
            case .dismiss: item = nil
            }
        }
    }

    /// A reducer for a selection, such as that of a tab bar: the event is the new selection.
    public static func selection() -> Reducer where State == Event {
        Reducer { selection, next in selection = next }
    }
}

extension Reducer {
    /// A reducer for a stack of screens in a whole.
    ///
    /// ```swift
    /// struct App { var path: [String] = [] }
    /// enum Event { case path(StackEvent<String>) }
    ///
    /// let path = CasePath(embed: Event.path) { if case .path(let event) = $0 { event } else { nil } }
    /// let app = System<App, Event>(
    ///     initialState: App(), scheduler: .immediate, reducer: .stack(in: Scope(state: \.path, event: path)))
    /// app.sendEvent(.path(.push("detail")))
    /// print(app.state.path)
    /// ```
    ///
    /// - Parameter scope: The path to the stack.
    public static func stack<Screen>(
        in scope: Scope<State, Event, [Screen], StackEvent<Screen>>
    ) -> Reducer {
        Reducer<[Screen], StackEvent<Screen>>.stack().lifted(by: scope)
    }

    /// A reducer for an optional item in a whole; the item is removed immediately.
    ///
    /// - Parameter scope: The path to it.
    public static func item<Item>(in scope: Scope<State, Event, Item?, ItemEvent<Item>>) -> Reducer {
        let step = Reducer<Item?, ItemEvent<Item>>.item()
        return step.lifted(by: scope)
    }

    /// A reducer for a selection in a whole, such as that of a tab bar.
    ///
    /// - Parameter scope: The path to the selection; its event is the new selection.
    public static func selection<Selection>(
        in scope: Scope<State, Event, Selection, Selection>
    ) -> Reducer {
        Reducer<Selection, Selection>.selection().lifted(by: scope)
    }

    /// A reducer for a ``Presentation`` in a whole.
    ///
    /// - Parameter scope: The path to it.
    public static func presentation<Value>(
        in scope: Scope<State, Event, Presentation<Value>, PresentationEvent<Value>>
    ) -> Reducer {
        Reducer<Presentation<Value>, PresentationEvent<Value>>.presentation().lifted(by: scope)
    }
}
