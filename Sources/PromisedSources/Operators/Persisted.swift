internal import Promise
public import PromisedSystem

extension Source {
    /// Keeps the fetched value in a storage, and fetches only a missing or expired value.
    ///
    /// ```swift
    /// import PromisedSources
    ///
    /// let stored = Source<Persistable<Int>>.constant(.found(.init(3, set: .doNothing, clear: .doNothing)))
    /// let price = Source<Fetchable<Int>>.fetching(on: .immediate) { Promise.value(4) }.persisted(using: stored)
    /// print(price.value.fetched?.value ?? 0)
    /// ```
    ///
    /// A value that is stored and has not expired is shown without a fetch. One that has expired is shown while it is
    /// fetched again. A value that was fetched is stored, and then shown from there, and so is every later change of
    /// it, such as the guess of a change on ``Fetches``. A stored value is never replaced by a failure, which is shown
    /// beside it. The action to refresh always fetches.
    ///
    /// - Parameter storage: The stored value.
    public func persisted<Fetched: Sendable>(
        using storage: Source<Persistable<Fetched>>
    ) -> Source where Value == Fetchable<Fetched> {
        let input = MachineInput(self)
        return MachineSource(PersistMachine(source: input.reference, scheduler: .immediate)) { [input] send in
            withExtendedLifetime(input) { [storage.subscribe { send(.stored($0)) }] }
        }.eraseToSource()
    }
}

struct PersistMachine<Value: Sendable>: SourceMachine {
    struct PersistState: Sendable {
        var stored: Persistable<Value>?
        /// The model of the fetch; nil until that is needed.
        var input: Fetchable<Value>?
        /// Whether the fetch is needed.
        var isWanted = false
        /// Whether it has to fetch once more, even if it has a value when it is first looked at.
        var isAsked = false
        /// Whether a value was given to the storage, which has not answered.
        var isWriting = false
        /// Whether the storage did not take a value, or did not keep it.
        var isUnstorable = false
    }

    enum PersistEvent: Sendable {
        case stored(Persistable<Value>)
        case input(Fetchable<Value>)
        case load
    }

    let source: MachineInput<Fetchable<Value>>.WeakInput
    let scheduler: any SerialScheduler

    var initialState: PersistState { PersistState() }
    var load: PersistEvent? { .load }

    var feedbacks: [Feedback<MachineState<PersistState>, PersistEvent>] {
        [.reading(source, while: { $0.content.isWanted }, PersistEvent.input)]
    }

    func reduce(_ state: inout PersistState, _ event: PersistEvent) -> Reaction {
        switch event {
        case .stored(let stored): receive(stored, &state)
        case .input(let input): receive(input, &state)
        case .load: fetch(&state, evenIfThere: true)
        }
    }

    private func receive(_ stored: Persistable<Value>, _ state: inout PersistState) -> Reaction {
        let isAnswer = state.isWriting
        (state.stored, state.isWriting, state.isUnstorable) = (stored, false, false)
        let isFound = stored.found != nil
        // The report of the storage on the value that it was given is no reason to fetch it again, and neither is that
        // it had no room for it: two that are shown would drop each other's value without end.
        let isRefused = stored.notFound.map { $0.error != nil || $0.isDropped } ?? false
        if isAnswer || (isRefused && state.input?.fetched != nil) {
            state.isUnstorable = !isFound
            return .show
        }
        if let found = stored.found, !found.isExpired { return .show }
        var reaction = fetch(&state, evenIfThere: isFound)
        reaction.isShown = true
        return reaction
    }

    private func receive(_ input: Fetchable<Value>, _ state: inout PersistState) -> Reaction {
        let isNews = input.isNews(after: state.input)
        let before = state.input
        state.input = input
        if input.isLoading, !isNews {
            state.isAsked = false
            // It is shown already that it is wanted.
            return before == nil && input.fetching?.progress == nil ? .stay : .show
        }
        if state.isAsked {
            state.isAsked = false
            return .call(input.again)
        }
        guard isNews, let value = input.fetched?.value else { return .show }
        state.isWriting = true
        return .call(state.stored?.set.map { value })
    }

    private func fetch(_ state: inout PersistState, evenIfThere isAsked: Bool) -> Reaction {
        guard let input = state.input else {
            if state.isWanted { return .stay }
            (state.isWanted, state.isAsked) = (true, isAsked)
            return .show
        }
        return input.isLoading ? .stay : .call(input.again)
    }

    func model(of state: PersistState, _ source: MachineSource<Self>) -> Fetchable<Value> {
        let isLoading = state.isWanted && (state.input?.isLoading ?? true || state.isWriting)
        let failure: FetchFailure? =
            if let failure = state.input?.failure {
                .init(failure.error, failedAttempts: failure.failedAttempts)
            } else { state.input?.refreshFailure ?? state.stored?.error.map { .init($0) } }
        if let value = state.stored?.found?.value ?? (state.isUnstorable ? state.input?.fetched?.value : nil)
        {
            // A fetch that has ended for good can't be asked.
            let canRefresh = state.input?.isLoading ?? true || state.input?.again != nil
            return .fetched(
                .init(
                    value, isRefreshing: isLoading, refreshFailure: failure,
                    refresh: canRefresh ? source.refresh() : nil))
        }
        if var failure = state.input?.failure {
            failure.retry = failure.retry.map { _ in source.retry() }
            return .failure(failure)
        }
        return .fetching(state.input?.fetching ?? .init())
    }
}

extension Persistable {
    fileprivate var error: (any Error)? {
        switch self {
        case .found(let found): found.error
        case .notFound(let notFound): notFound.error
        }
    }
}

extension PersistMachine.PersistState: Equatable, Hashable where Value: Hashable {}
extension PersistMachine.PersistEvent: Equatable, Hashable where Value: Hashable {}
