/// A page as a server has sent it: now, or in an earlier run.
struct WebPage: Sendable, Equatable {
    /// Where it was in the end, redirects followed.
    var url: String
    var body: [UInt8]
    /// As the server named it.
    var charset: String?
    /// What the server would know this version by: the two ways in which HTTP asks for a newer one only.
    var entityTag: String?
    var lastModified: String?
}

/// What became of a request for a page.
enum WebAnswer: Sendable, Equatable {
    case fresh(WebPage, Keeping)
    /// The server has nothing newer than this, which was remembered.
    case unchanged(WebPage)

    struct Keeping: Sendable, Equatable {
        /// Whether the server lets it be remembered.
        var isAllowed: Bool
        /// Whether every redirect on the way, if there was any, is one for good.
        var isPermanentAddress: Bool
    }
}
