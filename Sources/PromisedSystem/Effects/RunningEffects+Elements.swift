// Work for the elements of a collection: each element that has work gets a number in the registry.
extension RunningEffects {
    /// Applies a decision that ends a part or concerns elements.
    @usableFromInline
    final func follow(_ answer: FeedbackDecision, _ index: Int, _ host: any EffectHost) {
        let group = elementEffects[index] ?? ElementEffects(index, path: sharedKeys.path(of: index))
        elementEffects[index] = group
        apply(answer, group, index, host)
    }

    private func apply(
        _ answer: FeedbackDecision, _ group: ElementEffects, _ index: Int,
        _ host: any EffectHost
    ) {
        guard !host.isOver else { return }
        switch answer {
        case .unchanged, .repeated: break
        case .keep(let requests): keep(requests, group.number, host)
        case .start(let request): begin(request, by: group.number, of: index, host)
        case .end:
            end([group] + removeElements(of: group), index, host)
        case .renew(let next):
            apply(.end, group, index, host)
            apply(next, group, index, host)
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
        case .end, .unchanged, .repeated, .renew(.unchanged), .renew(.repeated): return
        case .renew(.keep(let requests)) where requests.isEmpty: return
        case .keep(let requests) where requests.isEmpty: return
        case .keep, .start, .renew, .each: break
        }
        let ids = group.ids + [answer.element]
        let path = sharedKeys.path(of: index, ids)
        let element = ElementEffects(addSlots(index, path: path), ids: ids, path: path)
        group.elements[answer.element] = element
        apply(answer.answer, element, index, host)
    }

    /// - Returns: The number of new slots, for an element of a feedback or for all feedbacks of its part.
    ///
    /// - Parameter base: The index of the feedback, or the number of the slots that those of the part share.
    private func addSlots(_ base: Int, path: [EffectKey]) -> Int {
        let number = registry.addFeedback()
        paths[number] = path
        if number == bases.count { bases.append(base) } else { bases[number] = base }
        return number
    }

    /// The number of the slots for named keys that a feedback shares with the others of its part.
    final func sharedSlots(of index: Int, _ number: Int) -> Int {
        guard let path = paths[number] else { return sharedKeys.numbers[index] }
        let part = SharedKeys.SharedElement(slots: sharedKeys.numbers[index], path: path)
        if let slots = sharedKeys.ofElements[part] { return slots }
        let slots = addSlots(part.slots, path: path)
        sharedKeys.ofElements[part] = slots
        return slots
    }

    /// Ends the work of a feedback for elements, or for its part as a whole.
    private func end(_ groups: [ElementEffects], _ index: Int, _ host: any EffectHost) {
        var steps = Registry.Steps()
        let shared = sharedKeys.isShared(index) ? sharedKeys.existing(of: index, groups.map(\.path)) : []
        sharedKeys.vacated += registry.end(groups.map(\.number), sharing: shared, &steps)
        for slots in shared where registry.slots[slots].isEmpty { removeShared(slots, of: index) }
        perform(&steps, host)
    }

    /// Starts the requests behind work that ended with a part. Called when all feedbacks have been asked.
    @usableFromInline
    final func startVacated(_ host: any EffectHost) {
        var steps = Registry.Steps()
        registry.startNext(sharedKeys.vacated, &steps)
        sharedKeys.vacated = []
        perform(&steps, host)
    }

    /// Frees the slots that the feedbacks of a part have shared for an element; those for the whole part stay.
    private func removeShared(_ slots: Int, of index: Int) {
        guard let path = paths.removeValue(forKey: slots) else { return }
        sharedKeys.ofElements[.init(slots: sharedKeys.numbers[index], path: path)] = nil
        registry.removeFeedback(slots)
    }

    /// Performs the cancellations requested while a run was being started: work requested before that run, of the same
    /// element or of elements inside it. This happens immediately, so that a request made next finds the key free.
    final func performCancellations(_ steps: inout Registry.Steps) {
        let named = toCancel
        toCancel = []
        for (key, run) in named {
            registry.cancel(key, requestedBefore: run.number, &steps) { isInside($0, of: run) }
        }
    }

    private func removeElement(_ key: EffectKey, of group: ElementEffects) {
        guard let element = group.elements.removeValue(forKey: key) else { return }
        paths[element.number] = nil
        registry.removeFeedback(element.number)
    }

    /// - Returns: All elements, nested ones included.
    private func removeElements(of group: ElementEffects) -> [ElementEffects] {
        var removed: [ElementEffects] = []
        for (key, element) in group.elements {
            removed += [element] + removeElements(of: element)
            removeElement(key, of: group)
        }
        return removed
    }
}
