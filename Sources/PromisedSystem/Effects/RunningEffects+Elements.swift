// Work for the elements of a collection: each element that has work gets a number in the registry.
extension RunningEffects {
    /// Applies a decision that ends a part or concerns elements.
    @usableFromInline
    final func follow(_ answer: FeedbackDecision, _ index: Int, _ host: any EffectHost) {
        let group = elementEffects[index] ?? ElementEffects(index)
        elementEffects[index] = group
        apply(answer, group, index, host)
    }

    private func apply(
        _ answer: FeedbackDecision, _ group: ElementEffects, _ index: Int,
        _ host: any EffectHost
    ) {
        guard !host.isOver else { return }
        switch answer {
        case .unchanged: break
        case .keep(let requests): keep(requests, group.number, host)
        case .start(let request): begin(request, group.number, host)
        case .end:
            var steps = Registry.Steps()
            registry.end([group.number] + removeElements(of: group), &steps)
            perform(&steps, host)
        case .each(let answers):
            for answer in answers { apply(answer, in: group, index, host) }
        }
    }

    private func apply(
        _ answer: FeedbackDecision.Of, in group: ElementEffects, _ index: Int,
        _ host: any EffectHost
    ) {
        if let element = group.elements[answer.element] {
            apply(answer.answer, element, index, host)
            if case .end = answer.answer { removeElement(answer.element, of: group) }
            return
        }
        // Most elements have no work, and need no number.
        switch answer.answer {
        case .end, .unchanged: return
        case .keep(let requests) where requests.isEmpty: return
        case .keep, .start, .each: break
        }
        let element = ElementEffects(registry.addFeedback(), path: group.path + [answer.element])
        paths[element.number] = element.path
        if element.number == origins.count {
            origins.append(origins[index])
        } else {
            origins[element.number] = origins[index]
        }
        group.elements[answer.element] = element
        apply(answer.answer, element, index, host)
    }

    /// Performs the cancellations requested while a run was being started: work requested before that run, of the same
    /// element or of elements inside it. This happens immediately, so that a request made next finds the key free.
    final func performCancellations(_ steps: inout Registry.Steps) {
        let named = toCancel
        toCancel = []
        for (key, run) in named {
            let own = paths[run.name.feedback] ?? []
            registry.cancel(key, requestedBefore: run.number, &steps) { number in
                (paths[number] ?? []).starts(with: own)
            }
        }
    }

    private func removeElement(_ key: EffectKey, of group: ElementEffects) {
        guard let element = group.elements.removeValue(forKey: key) else { return }
        paths[element.number] = nil
        registry.removeFeedback(element.number)
    }

    /// - Returns: The numbers of all elements, nested ones included.
    private func removeElements(of group: ElementEffects) -> [Int] {
        var numbers: [Int] = []
        for (key, element) in group.elements {
            numbers += [element.number] + removeElements(of: element)
            removeElement(key, of: group)
        }
        return numbers
    }
}
