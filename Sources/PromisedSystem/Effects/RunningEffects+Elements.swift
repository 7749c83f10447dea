// Work for the elements of a collection: a place in the registry for each that has some.
extension RunningEffects {
    /// Does what an answer says that is for more than the feedback's own work.
    @usableFromInline
    func follow(_ answer: FeedbackDecision<Event>, _ index: Int, _ loop: Loop<State, Event>) {
        if case .end = answer { parts[index].current = SmallArray() }
        let group = groups[index] ?? ElementEffects(index)
        groups[index] = group
        follow(answer, group, index, loop)
    }

    private func follow(
        _ answer: FeedbackDecision<Event>, _ group: ElementEffects, _ index: Int, _ loop: Loop<State, Event>
    ) {
        guard !loop.isOver else { return }
        switch answer {
        case .asBefore: break
        case .keep(let requests): keep(requests, group.number, loop)
        case .start(let request): begin(request, group.number, loop)
        case .end:
            var steps = Registry.Steps()
            registry.end([group.number] + takeElements(of: group), &steps)
            perform(&steps, loop)
        case .each(let answers):
            for answer in answers { follow(answer, in: group, index, loop) }
        }
    }

    private func follow(
        _ answer: FeedbackDecision<Event>.Of, in group: ElementEffects, _ index: Int,
        _ loop: Loop<State, Event>
    ) {
        if let element = group.elements[answer.element] {
            follow(answer.answer, element, index, loop)
            if case .end = answer.answer { giveUp(answer.element, of: group) }
            return
        }
        // Most elements have nothing to do.
        switch answer.answer {
        case .end, .asBefore: return
        case .keep(let requests) where requests.isEmpty: return
        case .keep, .start, .each: break
        }
        let element = ElementEffects(registry.addFeedback(), path: group.path + [answer.element])
        paths[element.number] = element.path
        if element.number == contexts.count {
            contexts.append(contexts[index])
            origins.append(origins[index])
        } else {
            (contexts[element.number], origins[element.number]) = (contexts[index], origins[index])
        }
        group.elements[answer.element] = element
        follow(answer.answer, element, index, loop)
    }

    /// Cancels the work of keys that was asked for before the runs that name them, as far as that may: work of an element
    /// reaches what is of the same element, or inside it. At once, so that work which is asked for next finds the key
    /// free.
    @usableFromInline
    func cancelWhatIsNamed(_ steps: inout Registry.Steps) {
        let named = toCancel
        toCancel = []
        for (key, run) in named {
            let own = paths[run.name.feedback] ?? []
            registry.cancel(key, askedBefore: run.number, &steps) { number in
                (paths[number] ?? []).starts(with: own)
            }
        }
    }

    private func giveUp(_ key: EffectKey, of group: ElementEffects) {
        guard let element = group.elements.removeValue(forKey: key) else { return }
        paths[element.number] = nil
        registry.removeFeedback(element.number)
    }

    /// - Returns: The numbers of all elements, and of those inside them.
    private func takeElements(of group: ElementEffects) -> [Int] {
        var numbers: [Int] = []
        for (key, element) in group.elements {
            numbers += [element.number] + takeElements(of: element)
            giveUp(key, of: group)
        }
        return numbers
    }
}
