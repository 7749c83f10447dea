import Foundation

/// Checks where the links of a page lead, without a network: to files of this package, and to headings in them.
struct LinkCheck: Sendable {
    /// The Markdown files by path, as they are on disk unless a test has its own.
    var pages: [String: String]
    /// Whether there is a file or folder at a path.
    var exists: @Sendable (String) -> Bool = { Package.exists($0) }

    /// The problems of the page at `path`, each at its line.
    func problems(of path: String) -> [Problem] {
        let text = pages[path] ?? ""
        return Self.prose(text).flatMap { number, line in
            (Self.targets(line).compactMap { problem(of: $0, in: path) }
                + Self.places(line).compactMap(missing))
                .map { Problem(place: Place(file: path, line: number), message: $0) }
        }
    }

    private func problem(of target: String, in page: String) -> String? {
        if target.hasPrefix("doc:") {
            return "only DocC knows where \(target) leads: write [Its title](\(target.dropFirst(4)).md)"
        }
        if target.contains(#/^(https?|mailto):/#) { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let file = parts[0].isEmpty ? page : Self.resolved(String(parts[0]), in: page)
        if page.contains(".docc/"), !(file.contains(".docc/") && file.hasSuffix(".md")) {
            return "\(target) is no page of a catalog, and the site has only those"
        }
        guard exists(file) else { return "there is no \(file)" }
        guard parts.count > 1 else { return nil }
        return Self.anchors(pages[file] ?? "").contains(String(parts[1]))
            ? nil : "\(file) has no heading #\(parts[1])"
    }

    private func missing(_ place: String) -> String? { exists(place) ? nil : "there is no \(place)" }
}

extension LinkCheck {
    /// The package's Markdown files.
    static let current = LinkCheck(
        pages: Dictionary(
            uniqueKeysWithValues: Package.texts.map { ($0, (try? Package.text($0)) ?? "") }))

    /// The lines outside of fences, with their numbers.
    private static func prose(_ text: String) -> [(Int, Substring)] {
        var isFenced = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            index, line in
            if line.drop(while: { " \t>".contains($0) }).hasPrefix("```") {
                isFenced.toggle()
                return nil
            }
            return isFenced ? nil : (index + 1, line)
        }
    }

    private static func targets(_ line: Substring) -> [String] {
        guard line.contains("](") || line.contains("<doc:") else { return [] }
        let prose = line.replacing(#/`+[^`]*`+/#, with: "")
        return prose.matches(of: #/\]\(([^)\s]+)[^)]*\)|<(doc:[^>]*)>/#).map { String($0.1 ?? $0.2 ?? "") }
    }

    /// The paths from the package's root that stand as code, such as `Tests/README.md`; not patterns, nor a
    /// reader's folders.
    private static func places(_ line: Substring) -> [String] {
        guard line.contains("`"), line.contains("/") else { return [] }
        let places = line.matches(of: #/`((?:Sources|Tests|Example|\.ci|\.github)\/[^`\s]+)[^`]*`/#)
        return places.map { String($0.1) }.filter { !$0.contains(#/MyApp|[*…{<]|[A-Z]{4}/#) }
    }

    /// What may follow the `#`: the headings in lower case, without punctuation, as GitHub writes them.
    private static func anchors(_ text: String) -> Set<String> {
        var seen: [String: Int] = [:]
        let anchors = prose(text).compactMap { _, line -> String? in
            guard let heading = line.wholeMatch(of: #/#+ +(.+?)\s*/#) else { return nil }
            let words = heading.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            let anchor = words.replacing(" ", with: "-")
            defer { seen[anchor, default: 0] += 1 }
            return seen[anchor].map { "\(anchor)-\($0)" } ?? anchor
        }
        return Set(anchors)
    }

    private static func resolved(_ path: String, in page: String) -> String {
        var folders = page.split(separator: "/").dropLast()
        for part in path.split(separator: "/") where part != "." {
            if part == "..", !folders.isEmpty { folders.removeLast() } else { folders.append(part) }
        }
        return folders.joined(separator: "/")
    }
}
