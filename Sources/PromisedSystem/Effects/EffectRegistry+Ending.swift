internal import Promise

// How runs end, and which pending requests start then.
extension EffectRegistry {
    /// Cancels the runs of a slot, and discards its pending requests.
    static func cancelRuns(_ slot: inout EffectSlot, _ name: EffectName, _ steps: inout Steps) {
        if !slot.wait.isEmpty { cancelWait(&slot, name, &steps) }
        guard !(slot.runs.isEmpty && slot.ended.isEmpty) else { return }
        cancel(slot, &steps)
        (slot.runs, slot.ended) = (SmallArray(), SmallArray())
    }

    /// Discards all pending requests of a slot. An open throttle window stays open.
    static func cancelWait(_ slot: inout EffectSlot, _ name: EffectName, _ steps: inout Steps) {
        if slot.isDebouncing { steps.append(.cancelDebounce(name)) }
        slot.changeWait { wait in
            wait.requests.removeAll()
            _ = wait.limiter.take()
        }
    }

    static func cancel(_ slot: EffectSlot, _ steps: inout Steps) {
        slot.runs.forEach { steps.append(.cancel($0)) }
        slot.ended.forEach { steps.append(.cancel($0)) }
    }

    /// Cancels the runs of several slots in the order in which they were started, because the order of a dictionary is
    /// not deterministic.
    func cancel(_ slots: [EffectSlot], _ steps: inout Steps) {
        Self.cancel(slots.flatMap { $0.runs.all + $0.ended.all }, &steps)
    }

    private static func cancel(_ runs: [EffectRun], _ steps: inout Steps) {
        for run in runs.sorted(by: { $0.number < $1.number }) { steps.append(.cancel(run)) }
    }

    /// Cancels everything under a key that was requested before this number, in the feedbacks for which `isIncluded` is
    /// true. The key keeps its current revision, so the same request is not started again, and an open throttle window
    /// stays open.
    mutating func cancel(
        _ key: EffectKey, requestedBefore number: Int, _ steps: inout Steps, where isIncluded: (Int) -> Bool
    ) {
        var (runs, vacated): ([EffectRun], [EffectName]) = ([], [])
        for feedback in slots.indices where isIncluded(feedback) {
            let name = EffectName(feedback: feedback, key: key)
            slots[feedback].change(key) { slot in
                let isRunning = !slot.runs.isEmpty
                runs += Self.takeWork(from: &slot, name, &steps) { $1 < number }
                // Requests that were queued after the cancel no longer have a run to wait for.
                if isRunning, slot.runs.isEmpty { vacated.append(name) }
                return slot.isIdle
            }
        }
        Self.cancel(runs, &steps)
        startNext(vacated, &steps)
    }

    /// Discards the pending requests that are meant, and takes the runs that are.
    ///
    /// - Parameter isMeant: Called with the registry number of the feedback that has requested the work, and with the
    ///   number of the request.
    private static func takeWork(
        from slot: inout EffectSlot, _ name: EffectName, _ steps: inout Steps,
        where isMeant: (_ requester: Int, _ number: Int) -> Bool
    ) -> [EffectRun] {
        func take(_ runs: inout SmallArray<EffectRun>) -> [EffectRun] {
            let all = runs.all
            runs = SmallArray(all.filter { !isMeant($0.requester, $0.requestNumber) })
            return all.filter { isMeant($0.requester, $0.requestNumber) }
        }
        let runs = take(&slot.runs) + take(&slot.ended)
        guard let wait = slot.wait.first else { return runs }
        if let waiting = wait.limiter.waiting,
            isMeant(waiting.value.requester ?? name.feedback, waiting.number)
        {
            steps.append(.cancelDebounce(name))
            slot.changeWait { _ = $0.limiter.take() }
        }
        slot.changeWait { wait in
            let all = wait.requests.all
            wait.requests.removeAll()
            for waiting in all
            where !isMeant(waiting.request.requester ?? name.feedback, waiting.requestNumber) {
                wait.requests.append(waiting)
            }
        }
        return runs
    }

    /// Cancels everything of some feedbacks, and closes their throttle windows.
    ///
    /// - Parameter shared: The slots shared with other feedbacks, whose work goes on.
    /// - Returns: Those of them in which queued requests no longer have a run to wait for; to be passed to
    ///   ``startNext(_:_:)`` when all feedbacks have had their say, as another one may have ended, too.
    mutating func end(_ feedbacks: [Int], sharing shared: [Int], _ steps: inout Steps) -> [EffectName] {
        for feedback in feedbacks {
            for key in slots[feedback].keys {
                slots[feedback].change(key) { slot in
                    if slot.isDebouncing {
                        steps.append(.cancelDebounce(EffectName(feedback: feedback, key: key)))
                    }
                    return false
                }
            }
        }
        var ended = feedbacks.flatMap { slots[$0].all }.flatMap { $0.runs.all + $0.ended.all }
        for feedback in feedbacks { slots[feedback] = KeyedEffects() }
        var vacated: [EffectName] = []
        for name in shared.flatMap({ number in
            slots[number].keys.map { EffectName(feedback: number, key: $0) }
        }) {
            slots[name.feedback].change(name.key) { slot in
                let isRunning = !slot.runs.isEmpty
                ended += Self.takeWork(from: &slot, name, &steps) { requester, _ in
                    feedbacks.contains(requester)
                }
                if let opener = slot.wait.first?.windowOpener, feedbacks.contains(opener) {
                    slot.changeWait { ($0.limiter.windowEnd, $0.windowOpener) = (nil, nil) }
                }
                if isRunning, slot.runs.isEmpty, slot.wait.first?.requests.isEmpty == false {
                    vacated.append(name)
                }
                return slot.isIdle
            }
        }
        Self.cancel(ended, &steps)
        return vacated
    }

    /// Starts the next queued request of each key under which nothing runs, in the order in which they were requested.
    mutating func startNext(_ names: [EffectName], _ steps: inout Steps) {
        for name in inOrder(names, { $0.requests.first?.requestNumber }) {
            slots[name.feedback].change(name.key) { slot in
                if slot.runs.isEmpty, !slot.wait.isEmpty { Self.startNext(name.feedback, &slot, &steps) }
                return slot.isIdle
            }
        }
    }

    /// Sorts slots by the number of a pending request, because the numbers of feedbacks are reused, and the order of a
    /// dictionary is not deterministic.
    ///
    /// - Parameter number: That number; slots for which it is nil are left out.
    private func inOrder(_ names: [EffectName], _ number: (Wait) -> Int?) -> [EffectName] {
        let numbered = names.compactMap { name in
            slots[name.feedback][name.key]?.wait.first.flatMap(number).map { (number: $0, name: name) }
        }
        return numbered.sorted { $0.number < $1.number }.map(\.name)
    }

    // MARK: Adding and removing feedbacks

    /// - Returns: The number of the new feedback, which may be that of one removed before.
    mutating func addFeedback() -> Int {
        if let number = free.popLast() { return number }
        slots.append(KeyedEffects())
        return slots.count - 1
    }

    /// Frees the number of a feedback whose work was ended. Runs that end later are matched by their identity, not by
    /// this number.
    mutating func removeFeedback(_ number: Int) { free.append(number) }

    mutating func cancelAll(_ steps: inout Steps) {
        cancel(slots.flatMap { $0.all }, &steps)
        slots = Array(repeating: KeyedEffects(), count: slots.count)
    }

    // MARK: Progress of runs

    /// The debounce timer of a key has fired: starts the pending request, unless a newer one has replaced it.
    mutating func debounceFired(_ name: EffectName, number: Int, now: () -> Duration, _ steps: inout Steps) {
        slots[name.feedback].change(name.key) { slot in
            guard let waiting = slot.wait.first?.limiter.waiting else { return false }
            if slot.limiting(waiting.value, { $0.timerFired(number, now) }) != nil {
                Self.start(waiting, name, &slot, &steps)
            }
            return false
        }
    }

    /// Starts the debounced requests under a key that were requested before this number, without waiting any longer,
    /// in the feedbacks for which `isIncluded` is true.
    mutating func flush(
        _ key: EffectKey, requestedBefore number: Int, _ steps: inout Steps,
        where isIncluded: (Int) -> Bool
    ) {
        let names = slots.indices.filter(isIncluded).map { EffectName(feedback: $0, key: key) }
        for name in inOrder(names, { $0.limiter.waiting?.number }) {
            slots[name.feedback].change(key) { slot in
                guard let waiting = slot.wait.first?.limiter.waiting, waiting.number < number else {
                    return false
                }
                steps.append(.cancelDebounce(name))
                slot.changeWait { _ = $0.limiter.take() }
                Self.start(waiting, name, &slot, &steps)
                return false
            }
        }
    }

    /// Starts a request that was taken out of the rate limiter.
    private static func start(
        _ waiting: RateLimiter<EffectPlan>.PendingValue, _ name: EffectName, _ slot: inout EffectSlot,
        _ steps: inout Steps
    ) {
        cancelRuns(&slot, name, &steps)
        steps.append(
            .startAfterWait(waiting.value, feedback: name.feedback, requestNumber: waiting.number))
    }

    /// Records a run that was started. If it has ended already, the next queued request starts.
    mutating func began(_ run: EffectRun, isRunning: Bool, _ steps: inout Steps) {
        slots[run.name.feedback].change(run.name.key, makes: true) { slot in
            if isRunning {
                slot.runs.append(run)
            } else {
                Self.ended(run, &slot, &steps)
            }
            return slot.isIdle
        }
    }

    /// A run has ended: removes it, and starts the next queued request.
    mutating func ended(_ run: EffectRun, now: () -> Duration, _ steps: inout Steps) {
        update(run.name, now) { slot in
            if slot.runs.remove(where: { $0 === run }) {
                Self.ended(run, &slot, &steps)
            } else if !run.hasPendingEvents {
                _ = slot.ended.remove { $0 === run }
            }
        }
    }

    static func ended(_ run: EffectRun, _ slot: inout EffectSlot, _ steps: inout Steps) {
        if run.hasPendingEvents { slot.ended.append(run) }
        if slot.runs.isEmpty, !slot.wait.isEmpty { startNext(run.name.feedback, &slot, &steps) }
    }

    static func startNext(_ feedback: Int, _ slot: inout EffectSlot, _ steps: inout Steps) {
        slot.changeWait { wait in
            guard let next = wait.requests.popFirst() else { return }
            steps.append(.startAfterWait(next.request, feedback: feedback, requestNumber: next.requestNumber))
        }
    }

    /// The last pending event of a run was processed or dropped, so an ended run need not be kept for cancellation.
    mutating func forget(_ run: EffectRun, now: () -> Duration) {
        update(run.name, now) { slot in _ = slot.ended.remove { $0 === run } }
    }

    /// Mutates a slot, closes its throttle window if that has expired, and removes the slot if it is idle.
    mutating func update(_ name: EffectName, _ now: () -> Duration, _ body: (inout EffectSlot) -> Void) {
        slots[name.feedback].change(name.key) { slot in
            body(&slot)
            if !slot.wait.isEmpty { slot.changeWait { $0.limiter.closeWindow(at: now()) } }
            return slot.isIdle
        }
    }

    mutating func sweep(_ feedback: Int, _ now: Duration) {
        for key in slots[feedback].keys { update(EffectName(feedback: feedback, key: key), { now }) { _ in } }
        sweepAt = max(64, 2 * slots[feedback].count)
    }
}
