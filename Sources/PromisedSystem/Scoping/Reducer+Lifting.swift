public import Promise

// Embeds the reducer of a part in a whole. An event that does not concern the part leaves it unchanged.
extension Reducer {
    /// Embeds this reducer in a whole whose state contains this reducer's state.
    ///
    /// - Parameter scope: The path to the part. An event that `extract` maps to nil leaves the whole unchanged.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State, Event>
    ) -> Reducer<Whole, WholeEvent> {
        Reducer<Whole, WholeEvent>(
            step: Self.lift(step, scope, isFor), mayMissPart: true,
            isFor: { [isFor] event in scope.extract(event).map { isFor?($0) ?? true } ?? false })
    }

    @inlinable
    static func lift<Whole, WholeEvent>(
        _ step: ReducerStep, _ scope: Scope<Whole, WholeEvent, State, Event>,
        _ isFor: (@Sendable (Event) -> Bool)?
    ) -> Reducer<Whole, WholeEvent>.ReducerStep {
        switch step {
        case .inPlace(let reduce):
            .inPlace { whole, event in
                guard let event = scope.extract(event) else { return }
                var isPresent = false
                scope.modify(&whole) { part in
                    isPresent = true
                    reduce(&part, event)
                }
                if !isPresent, isFor?(event) ?? true { ReducerScope.missPart() }
            }
        case .promise(let reduce):
            .promise { whole, event in
                guard let event = scope.extract(event) else { return .value(whole) }
                return reduce(scope.get(whole), event).map { part in
                    var next = whole
                    scope.modify(&next) { $0 = part }
                    return next
                }
            }
        case .several(let steps): .several(steps.map { lift($0, scope, isFor) })
        }
    }

    /// This reducer for an optional state. While the state is nil, every event leaves it nil.
    @inlinable public var optional: Reducer<State?, Event> {
        let isFor = isFor
        switch step {
        case .inPlace(let reduce):
            return Reducer<State?, Event>(
                step: .inPlace { state, event in
                    if state != nil {
                        reduce(&state!, event)
                    } else if isFor?(event) ?? true {
                        ReducerScope.missPart()
                    }
                }, mayMissPart: true, isFor: isFor)
        case .promise(let reduce):
            return Reducer<State?, Event>(
                step: .promise { state, event in
                    if let state { return reduce(state, event).map { $0 } }
                    if isFor?(event) ?? true { ReducerScope.missPart() }
                    return .value(nil)
                }, mayMissPart: true, isFor: isFor)
        case .several(let steps): return .combined(steps.map { Reducer(step: $0, isFor: isFor).optional })
        }
    }

    /// Embeds this reducer in a whole whose state contains this reducer's state as an optional.
    ///
    /// - Parameter scope: The path to the part. While the part is nil, and for an event that `extract` maps to nil, the
    ///   whole is left unchanged.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Reducer<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension Reducer {
    /// Embeds this reducer for every element of a collection. It is called for the element that the event is for, or
    /// for all elements.
    ///
    /// - Parameter elements: The path to the elements. Events for no element, or for an absent one, leave the whole
    ///   unchanged. For an event to all elements, an asynchronous reducer runs for one element after the other.
    @inlinable
    public func lifted<Whole, WholeEvent, ID>(
        byEach elements: Elements<Whole, WholeEvent, ID, State, Event>
    ) -> Reducer<Whole, WholeEvent> {
        Reducer<Whole, WholeEvent>(
            step: Self.lift(step, elements, isFor), mayMissPart: true,
            isFor: { [isFor] event in
                guard let event = elements.extract(event)?.event ?? elements.extractAll(event) else {
                    return false
                }
                return isFor?(event) ?? true
            })
    }

    @inlinable
    static func lift<Whole, WholeEvent, ID>(
        _ step: ReducerStep, _ elements: Elements<Whole, WholeEvent, ID, State, Event>,
        _ isFor: (@Sendable (Event) -> Bool)?
    ) -> Reducer<Whole, WholeEvent>.ReducerStep {
        switch step {
        case .inPlace(let reduce):
            .inPlace { whole, event in
                if let (id, event) = elements.extract(event) {
                    var isPresent = false
                    elements.modify(&whole, id) { part in
                        isPresent = true
                        reduce(&part, event)
                    }
                    if !isPresent, isFor?(event) ?? true { ReducerScope.missPart() }
                } else if let event = elements.extractAll(event) {
                    elements.modifyAll(&whole) { reduce(&$0, event) }
                }
            }
        case .promise:
            .promise { whole, wholeEvent in
                if let (id, _) = elements.extract(wholeEvent) {
                    return Reducer(step: step, isFor: isFor).lifted(by: elements.scope(of: id))(
                        whole, wholeEvent)
                }
                guard elements.extractAll(wholeEvent) != nil else { return .value(whole) }
                // Sequentially, like combined reducers: each receives the result of the previous one.
                let steps = elements.identities(in: whole).map { id in
                    Reducer(step: step, isFor: isFor).lifted(by: elements.scope(of: id)).step
                }
                return Reducer<Whole, WholeEvent>.run(steps, whole, wholeEvent)
            }
        case .several(let steps): .several(steps.map { lift($0, elements, isFor) })
        }
    }
}
