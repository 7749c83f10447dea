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
    /// Cancels it, and what it has sent and still waits is taken back; the new work starts when nothing newer has come
    /// for so long. So no answer to an old request comes after a new one: what a search field wants.
    indirect case debounce(Duration)
    /// Lets it go on until nothing newer has come for so long; then the last request replaces it. Its answer may come
    /// meanwhile: for work whose result is better late than never, as a preview.
    indirect case debounceThenReplace(Duration)
    /// Replaces it, and nothing new is done for so long.
    indirect case throttle(Duration)
}
