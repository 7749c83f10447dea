/// A step of a script that is being shrunk.
struct ScriptStep: Sendable {
    /// Identifies a call by the step that opened it, and by its place among the calls opened by that step. This stays
    /// the same when other steps are left out.
    struct Opener: Hashable, Sendable {
        /// nil for calls that the system makes at its start.
        let step: Int?
        let place: Int
    }

    /// The index of the step in the original script.
    let id: Int
    let words: MoveWords
    /// For an answer: where the call was opened, and its name.
    let opener: Opener?
    let call: String?

    /// The step with another event or outcome.
    func saying(_ words: MoveWords) -> ScriptStep {
        ScriptStep(id: id, words: words, opener: opener, call: call)
    }
}
