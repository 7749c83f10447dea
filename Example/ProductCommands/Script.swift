package import ProductReading
import ToolSupport

/// The words of `--events`, in this order.
package struct Script: Sendable, Equatable {
    package enum Word: String, CaseIterable, Sendable {
        case load, add, remove, refresh, next, previous, cancel
        /// No event: lets the page come to rest.
        case wait

        static let names = allCases.map(\.rawValue)
    }

    package var words: [Word] = []
}

extension Script {
    /// Reads `load,add wait`: words between commas, spaces or line breaks, in any case.
    ///
    /// - Throws: `PageError.usage` naming the first word that is no event.
    package init(_ text: String) throws(PageError) {
        for name in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard let word = Word(rawValue: name.lowercased()) else {
                let near = closest(to: name.lowercased(), among: Word.names).map { "did you mean \($0)?" }
                let hint = near ?? "the events are \(Word.names.joined(separator: ", "))"
                throw .usage("unknown event '\(String(name).shortened(to: 40))'; \(hint)")
            }
            words.append(word)
        }
    }
}
