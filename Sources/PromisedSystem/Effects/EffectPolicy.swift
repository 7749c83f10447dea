/// What new work does to work under the same key that is running.
public enum EffectPolicy: Sendable, Hashable {
    /// Runs beside it.
    case concurrent
    /// Waits until it is over.
    case queue
    /// Cancels it, and what it has sent and still waits is taken back.
    case replace
    /// Is not done.
    case drop
    // Behind a pointer where there is something to say, so that every request is small.
    /// Waits until nothing new has come for so long; then the last one replaces what runs.
    indirect case debounce(Duration)
    /// Replaces it, and nothing new is done for so long.
    indirect case throttle(Duration)
}
