internal import Promise

// Embeds the feedback of a part in a whole.
extension Feedback {
    /// Embeds this feedback in a whole whose state contains this feedback's state. It receives the part of every state,
    /// and the events that concern the part.
    ///
    /// An event that does not concern the part, and leaves the part's state equal, starts and restarts nothing in any
    /// form. If the state is not `Equatable`, every event counts as a change, and forms that restart their work for
    /// each state do so.
    ///
    /// If the state is `Identifiable`, or a part that contains it and that the scope passes through, a part with another
    /// `id` is another part: the work for the one before is cancelled, its pending events are discarded, and the
    /// feedback starts with an empty memory. A scope passes through the parts of the scopes that it was appended from;
    /// a key path of several properties is one step, whatever it passes.
    ///
    /// - Parameter scope: The path to the part. Events that `embed` declines are not sent.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Feedback<Whole, WholeEvent> {
        embedded(at: scope.key, acceptsAll: State.self is any Identifiable.Type || scope.outer != nil) {
            part, context in
            let present = PresentPart(part, context.compactMap(scope.embed))
            return { input in
                input.local(scope).map { local in
                    present.answer(local, inside: scope.outer.map { $0(input.state) } ?? PartIdentity.none)
                } ?? .unchanged
            }
        }
    }

    /// This feedback for an optional state. While the state is nil, no work runs; when it becomes non-nil again, the
    /// feedback starts with an empty memory. It does so too when an `Identifiable` state is replaced by one with
    /// another `id`; a state of another type is the same as long as it is not nil.
    public var optional: Feedback<State?, Event> {
        embedded(acceptsAll: true) { part, context in
            let present = PresentPart(part, context)
            return { input in
                if let local = input.unwrapped() { return present.answer(local) }
                return input.event == nil ? present.answerAbsence() : .unchanged
            }
        }
    }

    /// Embeds this feedback in a whole whose state contains this feedback's state as an optional.
    ///
    /// - Parameter scope: The path to the part. While the part is nil, no work runs.
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Feedback<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }

    /// Embeds this feedback for every element of a collection. Each element has its own work, which is cancelled when
    /// the element is removed, or replaced, under its key or index, by one with another `id`.
    ///
    /// - Parameter elements: The path to the elements. Of several elements with the same identity, only the first is
    ///   used.
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Feedback<Whole, WholeEvent> {
        embedded(at: elements.path, acceptsAll: true) { part, context in
            let elementStates = ElementFeedbackStates(part, elements, context)
            return { input in elementStates.answer(input) }
        }
    }

    /// Embeds each part of this feedback.
    ///
    /// - Parameters:
    ///   - place: Where the whole has the part, or the collection of parts.
    ///   - acceptsAll: Whether it accepts states even if the original does not, to end its work when the state is
    ///     removed or replaced.
    private func embedded<Whole, WholeEvent>(
        at place: PartKey = .whole, acceptsAll: Bool = false,
        _ make:
            @escaping @Sendable (FeedbackPart, EffectContext<WholeEvent>) ->
            Feedback<Whole, WholeEvent>.Decide
    ) -> Feedback<Whole, WholeEvent> {
        Feedback<Whole, WholeEvent>(
            parts: parts.map { part in
                .init(
                    part.origin, acceptsAll ? .all : part.inputs, part.memory.lifted,
                    skipsRepeated: part.skipsRepeated, at: place.appending(part.place)
                ) { make(part, $0) }
            })
    }
}

extension Feedback.Input {
    fileprivate func local<Local, LocalEvent>(
        _ scope: Scope<State, Event, Local, LocalEvent>
    ) -> Feedback<Local, LocalEvent>.Input? {
        switch self {
        case .state(let whole, let event):
            .state(ValueBox(scope.get(whole.value)), after: event.flatMap(scope.extract))
        case .event(let event, let whole):
            scope.extract(event).map { .event($0, ValueBox(scope.get(whole.value))) }
        }
    }

    fileprivate func unwrapped<Part>() -> Feedback<Part, Event>.Input? where State == Part? {
        switch self {
        case .state(let part, let event): part.value.map { .state(ValueBox($0), after: event) }
        case .event(let event, let part): part.value.map { .event(event, ValueBox($0)) }
        }
    }
}
