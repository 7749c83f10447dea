/// A step by its place among those that were possible: what a path is made of.
@usableFromInline
enum Move: Sendable, Hashable {
    case send(Int)
    /// The call by its place among those that are open, and the outcome by its place among its.
    case answer(Int, Int)
    case tick
}

/// A move in words.
enum MoveWords: Sendable, Hashable {
    case send(Int)
    case answer(String, String)
    case advance(Duration)
}
