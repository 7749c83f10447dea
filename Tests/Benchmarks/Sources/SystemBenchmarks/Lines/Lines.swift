extension Line {
    /// Every line, in the order of the table.
    static let all: [Line] =
        [oneObserver, hundredObservers, effectAtOnce, effectElsewhere, twoSenders]
        + [memory, memoryWithHistory, oneOfThousand, oneOfTenThousand, allObserved]
        + [allOfTenThousand, allByIdentity, observedMemory, childMemory]
        + [manySubscribers, manyEventsOfMiddleware]
}
