/// What may happen to a stack of screens.
///
/// ```swift
/// let screens = System<[String], StackEvent<String>>(
///     initialState: [], scheduler: .immediate, reducer: .stack())
/// for event in [.pop, .push("list"), .push("detail"), .pop] as [StackEvent<String>] { screens.sendEvent(event) }
/// print(screens.state)
/// ```
public enum StackEvent<Screen: Sendable>: Sendable {
    /// A screen comes on top.
    case push(Screen)
    /// The screen on top goes; nothing happens where there is none.
    case pop
    /// All go but so many of the lowest; as many as there are, if those are fewer.
    case popTo(count: Int)
    /// The whole stack is another: to open a link, or to restore a session.
    case set([Screen])
}

extension StackEvent: Equatable where Screen: Equatable {}

/// What may happen to something that is there or not.
public enum ItemEvent<Item: Sendable>: Sendable {
    /// It comes, in the place of what may be there.
    case show(Item)
    /// It goes; nothing happens where there is none.
    case dismiss
}

extension ItemEvent: Equatable where Item: Equatable {}

// Navigation as state: each step by itself, and then in a whole.
extension Reducer {
    /// The step of a stack of screens: an array, the last of which is on top.
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

    /// The step of something that is there or not, and goes at once. What is still drawn while it goes is a
    /// ``Presentation``.
    public static func item<Item>() -> Reducer where State == Item?, Event == ItemEvent<Item> {
        Reducer { item, event in
            switch event {
            case .show(let next): item = next
            case .dismiss: item = nil
            }
        }
    }

    /// The step of a selection, as that of a tab: the event is what is selected next.
    public static func selection() -> Reducer where State == Event {
        Reducer { selection, next in selection = next }
    }
}

extension Reducer {
    /// The step of a stack of screens in a whole.
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
    /// - Parameter scope: The way to the stack.
    public static func stack<Screen>(
        in scope: Scope<State, Event, [Screen], StackEvent<Screen>>
    ) -> Reducer {
        Reducer<[Screen], StackEvent<Screen>>.stack().lifted(by: scope)
    }

    /// The step of something in a whole that is there or not, and goes at once.
    ///
    /// - Parameter scope: The way to it.
    public static func item<Item>(in scope: Scope<State, Event, Item?, ItemEvent<Item>>) -> Reducer {
        let step = Reducer<Item?, ItemEvent<Item>>.item()
        return step.lifted(by: scope)
    }

    /// The step of a selection in a whole, as that of a tab.
    ///
    /// - Parameter scope: The way to the selection; its event is what is selected next.
    public static func selection<Selection>(
        in scope: Scope<State, Event, Selection, Selection>
    ) -> Reducer {
        Reducer<Selection, Selection>.selection().lifted(by: scope)
    }

    /// The step of a ``Presentation`` in a whole.
    ///
    /// - Parameter scope: The way to it.
    public static func presentation<Value>(
        in scope: Scope<State, Event, Presentation<Value>, PresentationEvent<Value>>
    ) -> Reducer {
        Reducer<Presentation<Value>, PresentationEvent<Value>>.presentation().lifted(by: scope)
    }
}
