// Work for the elements of a collection: a place in the registry for each that has some.
extension RunningEffects {
    /// Does what an answer says that is for more than the feedback's own work.
    @usableFromInline
    func follow(_ answer: FeedbackAnswer<Event>, _ index: Int, _ loop: Loop<State, Event>) {
        if case .end = answer { parts[index].soFar = Few() }
        let group = groups[index] ?? EffectGroup(index)
        groups[index] = group
        follow(answer, group, index, loop)
    }

    private func follow(
        _ answer: FeedbackAnswer<Event>, _ group: EffectGroup, _ index: Int, _ loop: Loop<State, Event>
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
        _ answer: FeedbackAnswer<Event>.Of, in group: EffectGroup, _ index: Int, _ loop: Loop<State, Event>
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
        let element = EffectGroup(registry.addFeedback(), path: group.path + [answer.element])
        paths[element.number] = element.path
        if element.number == sinks.count {
            sinks.append(sinks[index])
            origins.append(origins[index])
        } else {
            (sinks[element.number], origins[element.number]) = (sinks[index], origins[index])
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

    private func giveUp(_ key: EffectKey, of group: EffectGroup) {
        guard let element = group.elements.removeValue(forKey: key) else { return }
        paths[element.number] = nil
        registry.removeFeedback(element.number)
    }

    /// - Returns: The numbers of all elements, and of those inside them.
    private func takeElements(of group: EffectGroup) -> [Int] {
        var numbers: [Int] = []
        for (key, element) in group.elements {
            numbers += [element.number] + takeElements(of: element)
            giveUp(key, of: group)
        }
        return numbers
    }
}
