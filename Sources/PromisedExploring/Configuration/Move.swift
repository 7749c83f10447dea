/// A step by its index among those that are possible: paths consist of moves.
@usableFromInline
enum Move: Sendable, Hashable {
    case send(Int)
    /// The index of the action among those of the world.
    case act(Int)
    /// The index of the call among those that are open, and of the outcome among those that the call has left.
    case answer(Int, Int)
    /// The clock moves to the next instant at which something is due.
    case tick
    /// The clock moves to a time before that.
    case between
}

/// A step as it is written in a script: with the label of the call and the name of the outcome.
enum MoveWords: Sendable, Hashable {
    case send(Int)
    case answer(String, String)
    case advance(Duration)
    case action(String)
}
