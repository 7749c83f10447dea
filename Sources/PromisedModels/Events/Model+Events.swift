public import PromisedSystem

// Sending.
extension Model {
    /// Sends an event of the model. A model that has ended sends nothing, nor does it in `onDeactivate`.
    ///
    /// - Parameters:
    ///   - event: It is received by the current listeners, on the store's scheduler, in the order of sending.
    ///   - receivers: Which models receive it: by default this one and all above it.
    public func send(_ event: Event, to receivers: EventReceivers = [.sender, .ancestors]) {
        context.node.send(event, to: receivers)
    }

    /// Sends an event of any type, such as one that the whole application knows.
    ///
    /// - Parameters:
    ///   - event: It is received by the current listeners to its type, on the store's scheduler.
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
        return node.listen(consuming: false) { sent in sent.sender === node ? sent.event as? Event : nil }
    }

    /// An event of this model's type, whenever this model or one below it sends an equal one, or one above it sends it
    /// down: `events(of: .removed)`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isConsuming: Whether it is then not received by the models above.
    public func events(of event: Event, consuming isConsuming: Bool = false) -> ModelEvents<Event>
    where Event: Equatable { equal(to: event, consuming: isConsuming) }

    /// An event of any type, whenever this model or one below it sends an equal one, or one above it sends it down.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - isConsuming: Whether it is then not received by the models above.
    public func events<Other: Equatable & Sendable>(
        of event: Other, consuming isConsuming: Bool = false
    ) -> ModelEvents<Other> { equal(to: event, consuming: isConsuming) }

    private func equal<Other: Equatable & Sendable>(
        to event: Other, consuming isConsuming: Bool
    ) -> ModelEvents<Other> {
        context.node.listen(consuming: isConsuming) { sent in
            (sent.event as? Other).flatMap { areSame($0, event) ? $0 : nil }
        }
    }

    /// The events of a type, from this model and all below it, and those that models above it send down.
    ///
    /// - Parameters:
    ///   - type: The type of the events.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Other: Sendable>(
        ofType type: Other.Type, consuming isConsuming: Bool = false
    ) -> ModelEvents<Other> {
        context.node.listen(consuming: isConsuming) { sent in sent.event as? Other }
    }

    /// The events of all models of a type, this one and those below it, each with its sender.
    ///
    /// - Parameters:
    ///   - type: The type of the models.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Sender: Model>(
        fromType type: Sender.Type, consuming isConsuming: Bool = false
    ) -> ModelEvents<(event: Sender.Event, sender: Sender)> {
        let node = context.node
        return node.listen(consuming: isConsuming) { sent in
            guard sent.isFrom(node), let event = sent.event as? Sender.Event else { return nil }
            return (sent.sender as? Node<Sender>).map { (event, $0.model) }
        }
    }

    /// The events of the children at one place, each with its sender. Those of a child that was removed before they
    /// were received are dropped.
    ///
    /// - Parameters:
    ///   - path: The state of the children, as listed in ``children``.
    ///   - type: The type of the children.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Part: Sendable, Sender: Model>(
        from path: any WritableKeyPath<State, Part> & Sendable, _ type: Sender.Type,
        consuming isConsuming: Bool = false
    ) -> ModelEvents<(event: Sender.Event, sender: Sender)> {
        listen(path, consuming: isConsuming) { sent in
            guard let event = sent.event as? Sender.Event else { return nil }
            return (sent.sender as? Node<Sender>).map { (event, $0.model) }
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
        listen(path, consuming: isConsuming) { sent in
            guard let other = sent.event as? Sender.Event, areSame(other, event) else { return nil }
            return (sent.sender as? Node<Sender>)?.model
        }
    }

    /// The associated values of one case of the events that this model and those below it send, of whatever type they are.
    ///
    /// - Parameters:
    ///   - path: The case.
    ///   - isConsuming: Whether the events are then not received by the models above.
    public func events<Other: Sendable, Value: Sendable>(
        ofCase path: CasePath<Other, Value>, consuming isConsuming: Bool = false
    ) -> ModelEvents<Value> {
        let node = context.node
        return node.listen(consuming: isConsuming) { sent in
            sent.isFrom(node) ? (sent.event as? Other).flatMap(path.extract) : nil
        }
    }

    /// The values of a type that models above send down by ``trigger(_:)``.
    public func triggers<Value: Sendable>(of type: Value.Type) -> ModelEvents<Value> {
        context.node.listen(consuming: false) { sent in sent.isGoingDown ? sent.event as? Value : nil }
    }

    private func listen<Part, Element: Sendable>(
        _ path: any WritableKeyPath<State, Part> & Sendable, consuming isConsuming: Bool,
        _ element: @escaping @Sendable (RoutedEvent) -> Element?
    ) -> ModelEvents<Element> {
        let (node, path) = (context.node, PathPart(path))
        return node.listen(consuming: isConsuming, dropsRemoved: true) { sent in
            sent.above.first === node && sent.path == path ? element(sent) : nil
        }
    }
}

// Of children that are declared with `StateModel`.
extension Model {
    /// The events of the children that are declared with ``StateModel``, each with its sender.
    ///
    /// - Parameters:
    ///   - path: The projected value of the property, as `\.$rows`.
    ///   - isConsuming: Whether they are then not received by the models above.
    public func events<Models: StateModels>(
        from path: any WritableKeyPath<State, StateModel<Models>> & Sendable,
        consuming isConsuming: Bool = false
    ) -> ModelEvents<(event: Models.RootModel.Event, sender: Models.RootModel)> {
        events(from: statePath(path), Models.RootModel.self, consuming: isConsuming)
    }

    /// The senders of an event among the children that are declared with ``StateModel``.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - path: The projected value of the property, as `\.$rows`.
    ///   - isConsuming: Whether it is then not received by the models above.
    public func events<Models: StateModels>(
        of event: Models.RootModel.Event,
        from path: any WritableKeyPath<State, StateModel<Models>> & Sendable,
        consuming isConsuming: Bool = false
    ) -> ModelEvents<Models.RootModel> where Models.RootModel.Event: Equatable {
        events(of: event, from: statePath(path), Models.RootModel.self, consuming: isConsuming)
    }
}
