internal import Promise

/// The state of one feedback that is lifted to a collection: a ``ScopedFeedbackState`` for each present element.
///
/// Called only by the owner of the loop. So the elements can be copied out and written back, and no user closure runs
/// under the lock.
final class ElementFeedbackStates<
    Whole: Sendable, WholeEvent: Sendable, ID: Hashable & Sendable, State: Sendable, Event: Sendable
>:
    Sendable
{
    private struct Element: Sendable {
        let id: ID
        /// Of no element where the id of the collection is enough.
        let identity: PartIdentity
        let feedbackState: ScopedFeedbackState<State, Event>
        /// Whether it has taken the place of another element in this turn, whose event was for that one.
        var isSuccessor = false
    }

    private let part: Feedback<State, Event>.FeedbackPart
    private let elements: Elements<Whole, WholeEvent, ID, State, Event>
    private let context: EffectContext<WholeEvent>
    /// The present elements in the order of the collection. For a feedback that accepts only events: those that have
    /// received one.
    private let present = Lock<[Element]>([])

    init(
        _ part: Feedback<State, Event>.FeedbackPart,
        _ elements: Elements<Whole, WholeEvent, ID, State, Event>,
        _ context: EffectContext<WholeEvent>
    ) {
        (self.part, self.elements, self.context) = (part, elements, context)
    }

    func answer(_ input: Feedback<Whole, WholeEvent>.Input) -> FeedbackDecision {
        var before = present.withLock { $0 }
        if case .state = input, before.contains(where: { $0.isSuccessor }) {
            for place in before.indices { before[place].isSuccessor = false }
            present.exchange(for: before)
        }
        let (now, answers) =
            switch (input, part.inputs) {
            case (.state(let whole, _), .events) where !elements.replacesElements:
                removeAbsent(before, whole.value)
            case (.state(let whole, let event), _): evaluate(before, whole.value, after: event)
            case (.event(let event, let whole), _): evaluate(before, event, whole.value)
            }
        if let now { present.exchange(for: now) }
        return answers.isEmpty ? .unchanged : .each(answers)
    }

    private typealias Evaluation = (now: [Element]?, answers: [FeedbackDecision.Of])

    // MARK: States

    /// Passes a state to every element. As long as the elements are the same as the last time, none is looked up.
    private func evaluate(_ before: [Element], _ whole: Whole, after event: WholeEvent?) -> Evaluation {
        // A feedback that skips repeated states does not need the event.
        let (event, eventForAll) = part.skipsRepeated ? (nil, nil) : localEvent(of: event)
        func own(_ id: ID) -> Event? { event?.id == id ? event?.event : eventForAll }
        var answers: [FeedbackDecision.Of] = []
        var place = 0
        var change: ElementChanges?
        elements.visit(whole) { id, state in
            let identity = identity(of: state)
            if change == nil, place < before.count, before[place].id == id, before[place].identity == identity
            {
                collect(before[place], .state(ValueBox(state), after: own(id)), &answers)
                place += 1
                return
            }
            if change == nil { change = ElementChanges(before, from: place) }
            guard let element = change?.take(id, identity, or: { makeState(id) }) else { return }
            collect(element, .state(ValueBox(state), after: own(id)), &answers)
        }
        if change == nil, place < before.count { change = ElementChanges(before, from: place) }
        guard let change else { return (nil, inOrder(answers)) }
        return (change.now, inOrder(change.removed.map { end($0) }) + inOrder(answers))
    }

    /// Collects the new list of elements when they differ from those of the last time.
    private struct ElementChanges {
        var now: [Element]
        private var rest: [ID: Element]
        private var seen: Set<ID>
        private let before: [Element]

        init(_ before: [Element], from place: Int) {
            self.before = before
            now = Array(before[..<place])
            seen = Set(now.map { $0.id })
            rest = Dictionary(before[place...].map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// A present element, with a new state if it was not there before; nil for a second one with the same id.
        mutating func take(
            _ id: ID, _ identity: PartIdentity, or make: () -> ScopedFeedbackState<State, Event>
        ) -> Element? {
            guard seen.insert(id).inserted else { return nil }
            // A replaced one stays, and counts as removed.
            let before = rest[id]
            if let before, before.identity == identity {
                rest[id] = nil
                now.append(before)
                return before
            }
            let element = Element(
                id: id, identity: identity, feedbackState: make(), isSuccessor: before != nil)
            now.append(element)
            return element
        }

        /// The removed elements, in their previous order.
        var removed: [ID] { before.map { $0.id }.filter { rest[$0] != nil } }
    }

    private func removeAbsent(_ before: [Element], _ whole: Whole) -> Evaluation {
        guard !before.isEmpty else { return (nil, []) }
        let absent = elements.absent(whole, before.map { $0.id })
        guard !absent.isEmpty else { return (nil, []) }
        let gone = before.filter { absent.contains($0.id) }
        return (before.filter { !absent.contains($0.id) }, gone.map { end($0.id) })
    }

    // MARK: Events

    private func evaluate(_ before: [Element], _ event: WholeEvent, _ whole: Whole) -> Evaluation {
        guard part.inputs != .states else { return (nil, []) }
        guard let (id, event) = elements.extract(event) else {
            return elements.extractAll(event).map { evaluateAll(before, $0, whole) } ?? (nil, [])
        }
        guard let state = elements.get(whole, id) else { return (nil, []) }
        var now: [Element]?
        let element: Element
        if let present = before.first(where: { $0.id == id }) {
            if present.isSuccessor { return (nil, []) }
            element = present
        } else {
            element = Element(id: id, identity: identity(of: state), feedbackState: makeState(id))
            now = before + [element]
        }
        var answers: [FeedbackDecision.Of] = []
        collect(element, .event(event, ValueBox(state)), &answers)
        return (now, answers)
    }

    /// Passes an event that is meant for all elements to every element.
    private func evaluateAll(_ before: [Element], _ event: Event, _ whole: Whole) -> Evaluation {
        var change = ElementChanges(before, from: 0)
        var answers: [FeedbackDecision.Of] = []
        elements.visit(whole) { id, state in
            let element = change.take(id, identity(of: state), or: { makeState(id) })
            guard let element, !element.isSuccessor else { return }
            collect(element, .event(event, ValueBox(state)), &answers)
        }
        return (change.now, inOrder(answers))
    }

    private func localEvent(of event: WholeEvent?) -> ((id: ID, event: Event)?, all: Event?) {
        guard let event else { return (nil, nil) }
        if let own = elements.extract(event) { return (own, nil) }
        return (nil, elements.extractAll(event))
    }

    // MARK: Decisions

    private func inOrder(_ answers: [FeedbackDecision.Of]) -> [FeedbackDecision.Of] {
        elements.isOrdered ? answers : answers.inPrintedOrder { "\($0.element)" }
    }

    private func collect(
        _ element: Element, _ input: Feedback<State, Event>.Input,
        _ answers: inout [FeedbackDecision.Of]
    ) {
        let answer = element.feedbackState.answer(input)
        if case .unchanged = answer { return }
        answers.append(.init(element: EffectKey(element.id), answer: answer))
    }

    private func identity(of state: State) -> PartIdentity {
        elements.replacesElements ? PartIdentity(of: state) : .none
    }

    private func makeState(_ id: ID) -> ScopedFeedbackState<State, Event> {
        ScopedFeedbackState(part, context.compactMap { [elements] in elements.embed(id, $0) })
    }

    private func end(_ id: ID) -> FeedbackDecision.Of {
        .init(element: EffectKey(id), answer: .end)
    }
}
