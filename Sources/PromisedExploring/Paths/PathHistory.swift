/// Numbers for histories: what a piece of work was started with, and everything that it has learned since.
///
/// The number of a history follows from that of its predecessor and from the addition. So comparing two histories is
/// comparing two numbers, however long they are. As with a ``Fingerprint``, different histories have different numbers
/// only with a probability that can be neglected: among a million, the same number occurs twice once in 30 million
/// times.
enum PathHistory {
    /// An addition to a history.
    enum Addition: UInt8, Sendable {
        /// The start of a transition: its event, and the state.
        case transition
        /// The start of an effect: what it depends on, and its place.
        case payload, effect
        /// An answer to a call: the place of the call, and the choice.
        case answer
        case timer, clock, variable, states
        /// A changed request, or a broadcast, that running work receives.
        case update, broadcast
        /// The outcome of a promise that other work had started.
        case shared
        /// A step of the path, for work that may depend on everything.
        case send, tick, path
        /// A path to a configuration.
        case configuration
        /// An evaluation of a feedback: what it was given, and what it read.
        case occasion, reading
        /// An input of middleware or of a feedback with a memory.
        case memory
        /// A call that was recorded, and has answers of its own.
        case recorded
    }

    /// The number of the history `before` with an addition. The number 0 is the empty history.
    static func adding(_ kind: Addition, _ first: Int, _ second: Int = 0, to before: Int = 0) -> Int {
        var number = UInt64(kind.rawValue)
        for part in [before, first, second] {
            let (high, low) = (number ^ UInt64(bitPattern: Int64(part)) ^ 0x9E37_79B9_7F4A_7C15)
                .multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93 ^ (number << 1))
            number = high ^ low
        }
        return Int(Int64(bitPattern: number))
    }
}
