internal import Promise
internal import PromisedTesting

// The contents of the world.
extension WorldConfiguration {
    func encodeTimers(_ timers: [TestScheduler.PendingTimer]) {
        for timer in timers {
            name("a timer", [.plain("due in \(timer.left)")])
            append(ConfigurationMark.timer)
            append(timer.left)
            let id = ObjectIdentifier(timer.work)
            if let place = loopTimers.last(where: { $0.timer == id })?.place {
                append(ConfigurationMark.loop, place)
            } else {
                refer(to: timer.owner as? WorkItem)
                append(timer.number)
            }
        }
    }

    func encodeCalls(_ calls: [WorldCall], in order: [Int]?) {
        for place in calls.indices {
            let call = calls[order?[place] ?? place]
            name("the call \(call.name)", [.plain("open")])
            append(ConfigurationMark.call, numbers.number(ofCall: call.name))
            refer(to: call.owner)
            append(call.place, call.count)
        }
    }

    /// The calls in an order that does not depend on when they were opened; nil if they are in that order. They are
    /// sorted by name already.
    func order(of calls: [WorldCall]) -> [Int]? {
        if calls.count < 2 { return nil }
        if zip(calls, calls.dropFirst()).allSatisfy({ $0.name != $1.name }) { return nil }
        let keys = calls.map { call -> [Int] in
            let owner = call.owner
            return [
                owner.flatMap { place(of: $0) } ?? .max, owner?.history ?? record.path, call.place,
                call.number,
            ]
        }
        let order = calls.indices.sorted { left, right in
            if calls[left].name != calls[right].name { return calls[left].name < calls[right].name }
            return keys[left].lexicographicallyPrecedes(keys[right])
        }
        return order.elementsEqual(calls.indices) ? nil : order
    }

    /// The outcomes that promises remember, in an order that does not depend on when they were started.
    func encodeRemembered() {
        guard record.hasStartedPromises else { return }
        name("the outcomes of promises")
        let (settled, joiners) = record.outcomes
        for outcome in settled { append(ConfigurationMark.remembered, outcome) }
        // Work that has ended, or that no system knows, may have left a handler.
        for (place, joiner) in joiners {
            if case .work(let work) = joiner, work.isCancelled { continue }
            append(ConfigurationMark.remembered, place)
            encode(joiner)
        }
    }

    /// Encodes who has left a handler.
    func encode(_ joiner: PathRecord.Started.Joiner) {
        switch joiner {
        case .work(let work): refer(to: work)
        case .step(let path): append(path)
        }
    }

    /// The order in which the inputs of other systems are notified.
    func encodeForwarding() {
        let places = record.content.withLock { $0.forwarding }.compactMap { place(of: $0) }
        guard places.count > 1 else { return }
        name("the order of the inputs of other systems")
        append(ConfigurationMark.inputs)
        append(contentsOf: places)
    }
}
