extension Line {
    /// Every line, in the order of the table.
    static let all: [Line] =
        [fulfilled, pending, maps, flatMaps]
        + [chainFulfilled, chainDropped, recursionAtOnce, recursionLater]
        + [handlers, millionHandlers, parallel, millionInParallel, bytes, duel]
        + [awaitValue, awaitSettled, awaitPending, cancelledTimers]
}
