public import PromisedSystem

// Sending.
extension Model {
    /// Sends an event of the model.
    ///
    /// - Parameters:
    ///   - event: It is received by those who listen now, on the store's scheduler, in the order of sending.
    ///   - receivers: Which models receive it: by default this one and all above it.
    public func send(_ event: Event, to receivers: EventReceivers = [.sender, .ancestors]) {
        context.node.send(event, to: receivers)
    }

    /// Sends an event of any type, such as one that the whole application knows.
    ///
    /// - Parameters:
    ///   - event: It is received by those who listen to its type now, on the store's scheduler.
    ///   - receivers: Which models receive it: by default this one and all above it.
    @_disfavoredOverload
    public func send<Other: Sendable>(_ event: Other, to receivers: EventReceivers = [.sender, .ancestors]) {
        context.node.send(event, to: receivers)
    }

    /// Sends a value to all models below, which receive it by ``triggers(of:)``.
    public func trigger(_ value: some Sendable) { context.node.send(value, to: .descendants) }
}

// Listening. Each sequence has the events from the call on, and ends with the model.
extension Model {
    /// The events that this model sends itself.
    public func events() -> ModelEvents<Event> {
        let node = context.node
        return node.listen(consuming: false) { event, sender in sender === node ? event as? Event : nil }
    }

    /// An event of any type, whenever this model or one below it sends an equal one.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isConsuming: Whether it is then not received by the models above.
    public func events<Other: Equatable & Sendable>(
        of event: Other, consuming isConsuming: Bool = false
    ) -> ModelEvents<Other> {
        let node = context.node
        return node.listen(consuming: isConsuming) { other, sender in
            guard sender === node || sender.isBelow(node), let other = other as? Other else { return nil }
            return other == event ? other : nil
        }
    }

    /// The events of a type, from this model and all below it.
    ///
    /// - Parameters:
    ///   - type: The type of the events.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Other: Sendable>(
        ofType type: Other.Type, consuming isConsuming: Bool = false
    ) -> ModelEvents<Other> {
        let node = context.node
        return node.listen(consuming: isConsuming) { event, sender in
            sender === node || sender.isBelow(node) ? event as? Other : nil
        }
    }

    /// The events of all models of a type below this one, each with its sender.
    ///
    /// - Parameters:
    ///   - type: The type of the models.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Sender: Model>(
        fromType type: Sender.Type, consuming isConsuming: Bool = false
    ) -> ModelEvents<(event: Sender.Event, sender: Sender)> {
        let node = context.node
        return node.listen(consuming: isConsuming) { event, sender in
            guard sender === node || sender.isBelow(node), let event = event as? Sender.Event else {
                return nil
            }
            return (sender as? Node<Sender>).map { (event, $0.model) }
        }
    }

    /// The events of the children at one place, each with its sender.
    ///
    /// - Parameters:
    ///   - path: The state of the children, as listed in ``children``.
    ///   - type: The type of the children.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Part: Sendable, Sender: Model>(
        from path: any WritableKeyPath<State, Part> & Sendable, _ type: Sender.Type,
        consuming isConsuming: Bool = false
    ) -> ModelEvents<(event: Sender.Event, sender: Sender)> {
        listen(path, consuming: isConsuming) { event, sender in
            guard let event = event as? Sender.Event else { return nil }
            return (sender as? Node<Sender>).map { (event, $0.model) }
        }
    }

    /// The senders of an event among the children at one place.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - path: The state of the children, as listed in ``children``.
    ///   - type: The type of the children.
    ///   - isConsuming: Whether it is then not received by the models above.
    public func events<Part: Sendable, Sender: Model>(
        of event: Sender.Event, from path: any WritableKeyPath<State, Part> & Sendable, _ type: Sender.Type,
        consuming isConsuming: Bool = false
    ) -> ModelEvents<Sender> where Sender.Event: Equatable {
        listen(path, consuming: isConsuming) { other, sender in
            guard let other = other as? Sender.Event, other == event else { return nil }
            return (sender as? Node<Sender>)?.model
        }
    }

    /// The associated values of one case of the events of this model and of those of its type below it.
    ///
    /// - Parameters:
    ///   - path: The case.
    ///   - isConsuming: Whether the events are then not received by the models above.
    public func events<Other: Sendable, Value: Sendable>(
        ofCase path: CasePath<Other, Value>, consuming isConsuming: Bool = false
    ) -> ModelEvents<Value> {
        let node = context.node
        return node.listen(consuming: isConsuming) { event, sender in
            guard sender === node || sender.isBelow(node) else { return nil }
            return (event as? Other).flatMap(path.extract)
        }
    }

    /// The values of a type that models above send down by ``trigger(_:)``.
    public func triggers<Value: Sendable>(of type: Value.Type) -> ModelEvents<Value> {
        let node = context.node
        return node.listen(consuming: false) { event, sender in
            node.isBelow(sender) ? event as? Value : nil
        }
    }

    private func listen<Part, Element: Sendable>(
        _ path: any WritableKeyPath<State, Part> & Sendable, consuming isConsuming: Bool,
        _ element: @escaping @Sendable (any Sendable, AnyNode) -> Element?
    ) -> ModelEvents<Element> {
        let (node, path) = (context.node, PathPart(path))
        return node.listen(consuming: isConsuming) { event, sender in
            guard sender.parent === node, node.type.children[sender.slot].path == path else { return nil }
            return element(event, sender)
        }
    }
}
