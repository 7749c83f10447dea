public import Promise

// What was made for a part, at work in the whole. An event that is none of the part's business leaves it alone.
extension Reducer {
    /// The same step for the whole that this state is a part of.
    ///
    /// - Parameter scope: The way to the part. An event that means nothing to it leaves the whole untouched.
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
        _ step: Step, _ scope: Scope<Whole, WholeEvent, State, Event>,
        _ isFor: (@Sendable (Event) -> Bool)?
    ) -> Reducer<Whole, WholeEvent>.Step {
        switch step {
        case .inPlace(let reduce):
            .inPlace { whole, event in
                guard let event = scope.extract(event) else { return }
                var isThere = false
                scope.modify(&whole) { part in
                    isThere = true
                    reduce(&part, event)
                }
                if !isThere, isFor?(event) ?? true { ReducerScope.recordMissedPart() }
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

    /// The same step for a state that need not be there: then every event leaves it so.
    @inlinable public var optional: Reducer<State?, Event> {
        let isFor = isFor
        switch step {
        case .inPlace(let reduce):
            return Reducer<State?, Event>(
                step: .inPlace { state, event in
                    if state != nil {
                        reduce(&state!, event)
                    } else if isFor?(event) ?? true {
                        ReducerScope.recordMissedPart()
                    }
                }, mayMissPart: true, isFor: isFor)
        case .promise(let reduce):
            return Reducer<State?, Event>(
                step: .promise { state, event in
                    if let state { return reduce(state, event).map { $0 } }
                    if isFor?(event) ?? true { ReducerScope.recordMissedPart() }
                    return .value(nil)
                }, mayMissPart: true, isFor: isFor)
        case .several(let steps): return .combined(steps.map { Reducer(step: $0, isFor: isFor).optional })
        }
    }

    /// The same step for an optional part of a whole.
    ///
    /// - Parameter scope: The way to the part. While it is not there, and for an event that means nothing to it, the
    ///   whole is left untouched.
    @inlinable
    public func lifted<Whole, WholeEvent>(
        by scope: Scope<Whole, WholeEvent, State?, Event>
    ) -> Reducer<Whole, WholeEvent> {
        optional.lifted(by: scope)
    }
}

extension Reducer {
    /// The same step for every element of a collection, each time for the one that the event is meant for, or for all.
    ///
    /// - Parameter elements: The way to them. An event for an element that is not there leaves the whole untouched, as
    ///   does one that is for none. Of an event for all, a step that takes its time is done for one element after the
    ///   other.
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
        _ step: Step, _ elements: Elements<Whole, WholeEvent, ID, State, Event>,
        _ isFor: (@Sendable (Event) -> Bool)?
    ) -> Reducer<Whole, WholeEvent>.Step {
        switch step {
        case .inPlace(let reduce):
            .inPlace { whole, event in
                if let (id, event) = elements.extract(event) {
                    var isThere = false
                    elements.modify(&whole, id) { part in
                        isThere = true
                        reduce(&part, event)
                    }
                    if !isThere, isFor?(event) ?? true { ReducerScope.recordMissedPart() }
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
                // One after the other, as combined reducers are: each is given what the one before has made.
                let steps = elements.identities(in: whole).map { id in
                    Reducer(step: step, isFor: isFor).lifted(by: elements.scope(of: id)).step
                }
                return Reducer<Whole, WholeEvent>.run(steps, whole, wholeEvent)
            }
        case .several(let steps): .several(steps.map { lift($0, elements, isFor) })
        }
    }
}
