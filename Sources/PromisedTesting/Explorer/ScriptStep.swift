/// A step of a script that is made shorter.
struct ScriptStep: Sendable {
    /// What has begun a call, and which of its calls that is: whatever else is left out, it stays that.
    struct Opener: Hashable, Sendable {
        /// nil where the system has begun it at the start.
        let step: Int?
        let place: Int
    }

    /// Its place in the script at first.
    let id: Int
    let words: MoveWords
    /// Of the call that is answered, and its name.
    let opener: Opener?
    let call: String?
}
