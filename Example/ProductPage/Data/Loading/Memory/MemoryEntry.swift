/// What is written down of an address: its page, or where it has moved.
enum MemoryEntry: Equatable {
    case page(WebPage)
    case moved(from: String, to: String)

    var url: String {
        switch self {
        case .page(let page): page.url
        case .moved(let url, _): url
        }
    }

    /// Of the page without its head.
    var size: Int {
        if case .page(let page) = self { page.body.count } else { 0 }
    }
}

extension MemoryEntry {
    /// The format, and the checksum of all that follows.
    private static let title = "product-page memory 1 "

    /// A line with the checksum, a line of JSON, and the body as it came.
    var encoded: [UInt8] {
        var members: [String: JSON] = ["url": .string(url)]
        var body: [UInt8] = []
        switch self {
        case .moved(_, let target): members["moved"] = .string(target)
        case .page(let page):
            body = page.body
            members["charset"] = page.charset.map(JSON.string)
            members["etag"] = page.entityTag.map(JSON.string)
            members["last-modified"] = page.lastModified.map(JSON.string)
        }
        let content = Array("\(JSON.object(members))\n".utf8) + body
        return Array("\(Self.title)\(Checksum(of: content))\n".utf8) + content
    }

    /// `nil` for anything that is not whole.
    init?(encoded bytes: [UInt8]) {
        guard let title = bytes.prefix(64).firstIndex(of: 0x0A) else { return nil }
        let content = bytes[(title + 1)...]
        guard bytes[..<title].elementsEqual("\(Self.title)\(Checksum(of: content))".utf8),
            let head = content.firstIndex(of: 0x0A)
        else { return nil }
        var reader = JSONReader(bytes, in: content.startIndex..<head)
        guard let members = try? reader.document().members, let url = members["url"]?.text else { return nil }
        if let target = members["moved"]?.text {
            self = .moved(from: url, to: target)
        } else {
            self = .page(
                WebPage(
                    url: url, body: Array(content[(head + 1)...]), charset: members["charset"]?.text,
                    entityTag: members["etag"]?.text, lastModified: members["last-modified"]?.text))
        }
    }
}
