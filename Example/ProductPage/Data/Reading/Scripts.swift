/// The JSON of a source, which may be spread over several scripts, and what was wrong with it.
struct Scripts {
    private(set) var values: [JSON] = []
    /// The first script that is no JSON, by its number, and where and why.
    private(set) var failure: (script: Int, description: String)?

    init(_ ranges: [Range<Int>], in page: [UInt8]) {
        // The bound on values is one for the page, however many scripts they are spread over.
        var left = JSONText.maximumValues
        for (index, range) in ranges.enumerated() {
            let unescaped = Self.unescaped(page[range])
            var json = JSONText(unescaped ?? page, in: unescaped?.indices ?? range, limit: left)
            do throws(JSONText.Failure) {
                values += try json.values()
            } catch {
                let place = Self.position(error.offset, in: unescaped ?? page)
                failure = failure ?? (index + 1, "\(place): \(error.reason)")
            }
            left = max(0, json.left)
        }
    }

    /// As an editor counts: from 1, columns in characters.
    private static func position(_ offset: Int, in text: [UInt8]) -> String {
        let lines = text[..<offset].split(separator: 0x0A, omittingEmptySubsequences: false)
        return "line \(lines.count), column \(String(decoding: lines.last ?? [], as: UTF8.self).count + 1)"
    }

    /// The text of a script in which even the first quotation mark is written as an entity.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let object = text.drop { $0 != UInt8(ascii: "{") }.dropFirst().drop(while: \.isHTMLSpace)
        guard object.starts(with: "&quot;".utf8) else { return nil }
        return Array(Entities.decoded(String(decoding: text, as: UTF8.self)).utf8)
    }
}
