/// One fenced block of code in a page or in a doc comment.
struct Fence: Equatable, Sendable {
    /// The line that opens the block.
    var place: Place
    /// The first word of the info string, such as `swift`; empty if there is none.
    var language: String
    /// The other words of the info string, or those of the `<!-- fence: … -->` line above.
    var attributes: [String]
    /// The text between the two fences, without the indentation of the opening one.
    var code: String
}
