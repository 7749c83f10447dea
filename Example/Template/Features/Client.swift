import Foundation
public import PromisedSystem

/// What the features ask of the outside. A test answers with a stub, an exploration with each outcome.
public struct Client: Sendable {
    /// The words that begin with a text.
    public var find: Endpoint<String, [String]>

    /// - Parameter words: What is searched.
    public init(words: [String]) {
        find = Endpoint("find") { text in words.filter { $0.hasPrefix(text) } }
    }

    /// The client of the program. Replace its body by a request.
    public static let live = Client(words: ["tea", "teapot", "tent", "toast"])
}
