internal import Promise

/// One feedback at work in every element of a collection: a ``ScopedFeedbackState`` for each that is there.
///
/// Asked by the owner of the loop alone: so the memory can be taken out while elements are asked, and no closure of the
/// user's runs under the lock.
final class ElementFeedbackStates<
    Whole: Sendable, WholeEvent: Sendable, ID: Hashable & Sendable, State: Sendable, Event: Sendable
>:
    Sendable
{
    private struct Element: Sendable {
        let id: ID
        let life: ScopedFeedbackState<State, Event>
    }

    private let part: Feedback<State, Event>.Part
    private let elements: Elements<Whole, WholeEvent, ID, State, Event>
    /// In the order of the collection; of a feedback that looks at events alone, those that have had one.
    private let present = Lock<[Element]>([])

    init(_ part: Feedback<State, Event>.Part, _ elements: Elements<Whole, WholeEvent, ID, State, Event>) {
        (self.part, self.elements) = (part, elements)
    }

    func answer(_ input: Feedback<Whole, WholeEvent>.Input) -> FeedbackDecision<WholeEvent> {
        let before = present.withLock { $0 }
        let (now, answers) =
            switch (input, part.hearing) {
            case (.state(let whole, _), .events): stillThere(before, whole.value)
            case (.state(let whole, let event), _): ask(before, whole.value, after: event)
            case (.event(let event, let whole), _): ask(before, event, whole.value)
            }
        if let now { present.exchange(for: now) }
        return answers.isEmpty ? .asBefore : .each(answers)
    }

    private typealias Asked = (now: [Element]?, answers: [FeedbackDecision<WholeEvent>.Of])

    // MARK: States

    /// Asks every element. As long as they are those of the last time, none is looked for.
    private func ask(_ before: [Element], _ whole: Whole, after event: WholeEvent?) -> Asked {
        // Those that skip what is repeated do not need to know whose event it was.
        let (event, eventForAll) = part.skipsRepeated ? (nil, nil) : meaning(of: event)
        func own(_ id: ID) -> Event? { event?.id == id ? event?.event : eventForAll }
        var answers: [FeedbackDecision<WholeEvent>.Of] = []
        var place = 0
        var change: Change?
        elements.visit(whole) { id, state in
            if change == nil, place < before.count, before[place].id == id {
                note(before[place], .state(ValueBox(state), after: own(id)), &answers)
                place += 1
                return
            }
            if change == nil { change = Change(before, from: place) }
            guard let life = change?.take(id, or: { ScopedFeedbackState(part) }) else { return }
            note(
                Element(id: id, life: life), .state(ValueBox(state), after: own(id)),
                &answers)
        }
        if change == nil, place < before.count { change = Change(before, from: place) }
        guard let change else { return (nil, inOrder(answers)) }
        return (change.now, inOrder(change.gone.map { end($0) }) + inOrder(answers))
    }

    /// What becomes of the elements when they are not those of the last time.
    private struct Change {
        var now: [Element]
        private var rest: [ID: ScopedFeedbackState<State, Event>]
        private var seen: Set<ID>
        private let before: [Element]

        init(_ before: [Element], from place: Int) {
            self.before = before
            now = Array(before[..<place])
            seen = Set(now.map(\.id))
            rest = Dictionary(
                before[place...].map { ($0.id, $0.life) }, uniquingKeysWith: { first, _ in first })
        }

        /// The life of an element that is there; nil if there was one of the same identity before it.
        mutating func take(_ id: ID, or make: () -> ScopedFeedbackState<State, Event>) -> ScopedFeedbackState<
            State, Event
        >? {
            guard seen.insert(id).inserted else { return nil }
            let life = rest.removeValue(forKey: id) ?? make()
            now.append(Element(id: id, life: life))
            return life
        }

        /// Those that are not there any more, in the order in which they were.
        var gone: [ID] { before.map(\.id).filter { rest[$0] != nil } }
    }

    private func stillThere(_ before: [Element], _ whole: Whole) -> Asked {
        guard !before.isEmpty else { return (nil, []) }
        var there: Set<ID> = []
        elements.visit(whole) { id, _ in there.insert(id) }
        let now = before.filter { there.contains($0.id) }
        guard now.count < before.count else { return (nil, []) }
        return (now, before.filter { !there.contains($0.id) }.map { end($0.id) })
    }

    // MARK: Events

    private func ask(_ before: [Element], _ event: WholeEvent, _ whole: Whole) -> Asked {
        guard part.hearing != .states else { return (nil, []) }
        guard let (id, event) = elements.extract(event) else {
            return elements.extractAll(event).map { askAll(before, $0, whole) } ?? (nil, [])
        }
        guard let state = elements.get(whole, id) else { return (nil, []) }
        var now: [Element]?
        let element: Element
        if let present = before.first(where: { $0.id == id }) {
            element = present
        } else {
            element = Element(id: id, life: ScopedFeedbackState(part))
            now = before + [element]
        }
        var answers: [FeedbackDecision<WholeEvent>.Of] = []
        note(element, .event(event, ValueBox(state)), &answers)
        return (now, answers)
    }

    /// Asks every element with an event that is meant for all.
    private func askAll(_ before: [Element], _ event: Event, _ whole: Whole) -> Asked {
        var change = Change(before, from: 0)
        var answers: [FeedbackDecision<WholeEvent>.Of] = []
        elements.visit(whole) { id, state in
            guard let life = change.take(id, or: { ScopedFeedbackState(part) }) else { return }
            note(Element(id: id, life: life), .event(event, ValueBox(state)), &answers)
        }
        return (change.now, inOrder(answers))
    }

    private func meaning(of event: WholeEvent?) -> ((id: ID, event: Event)?, all: Event?) {
        guard let event else { return (nil, nil) }
        if let own = elements.extract(event) { return (own, nil) }
        return (nil, elements.extractAll(event))
    }

    // MARK: Answers

    private func inOrder(_ answers: [FeedbackDecision<WholeEvent>.Of]) -> [FeedbackDecision<WholeEvent>.Of] {
        elements.isOrdered ? answers : answers.inPrintedOrder { "\($0.element)" }
    }

    private func note(
        _ element: Element, _ input: Feedback<State, Event>.Input,
        _ answers: inout [FeedbackDecision<WholeEvent>.Of]
    ) {
        let answer = element.life.answer(input)
        if case .asBefore = answer { return }
        let lifted = answer.lifted { [elements] in elements.embed(element.id, $0) }
        answers.append(.init(element: elements.key(element.id), answer: lifted))
    }

    private func end(_ id: ID) -> FeedbackDecision<WholeEvent>.Of {
        .init(element: elements.key(id), answer: .end)
    }
}
