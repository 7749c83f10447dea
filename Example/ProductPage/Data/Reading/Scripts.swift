/// The JSON of a source, which may be spread over several scripts, and what was wrong with it.
struct Scripts {
    private(set) var values: [JSON] = []
    /// The first script that is no JSON, by its number, and where and why.
    private(set) var failure: (script: Int, description: String)?

    init(_ ranges: [Range<Int>], in page: [UInt8]) {
        // The bound on values is one for the page, however many scripts they are spread over.
        var left = JSONText.maximumValues
        for (index, range) in ranges.enumerated() {
            let text = page[range]
            let plain =
                text.isEscaped ? Array(Entities.decoded(String(decoding: text, as: UTF8.self)).utf8) : page
            var json = JSONText(plain, in: text.isEscaped ? 0..<plain.count : range)
            do throws(JSONText.Failure) {
                values += try json.values(limit: left)
            } catch  where failure == nil {
                failure = (index + 1, "\(Self.position(error.offset, in: plain)): \(error.reason)")
            } catch {}
            left = max(0, left - json.valueCount)
        }
    }

    /// As an editor counts: from 1, columns in characters.
    private static func position(_ offset: Int, in text: [UInt8]) -> String {
        let before = text[..<offset]
        let line = before[(before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)...]
        let column = String(decoding: line, as: UTF8.self).count + 1
        return "line \(before.count { $0 == 0x0A } + 1), column \(column)"
    }
}

extension ArraySlice<UInt8> {
    /// Whether even the first quotation mark is written as an entity.
    fileprivate var isEscaped: Bool {
        guard let brace = firstIndex(of: UInt8(ascii: "{")) else { return false }
        return self[(brace + 1)...].drop(while: \.isHTMLSpace).starts(with: "&quot;".utf8)
    }
}
