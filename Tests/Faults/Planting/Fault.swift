import Foundation

/// What is wrong with a fault's file.
struct Problem: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// A fault, as its file describes it.
struct Fault {
    let name: String
    /// The path of the source file in the package.
    let file: String
    /// The declaration to search, or empty for the whole file.
    let place: String
    let find: String
    let replacement: String

    init(path: String) throws {
        name = URL(filePath: path).deletingPathExtension().lastPathComponent
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard let find = lines.firstIndex(of: "--- find"),
            let replace = lines[find...].firstIndex(of: "--- replace"),
            let end = lines[replace...].firstIndex(of: "--- end")
        else { throw Problem("it is not in the form that README describes") }
        func field(_ name: String) -> String {
            let line = lines[..<find].first { $0.hasPrefix(name + ":") }
            return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) ?? ""
        }
        file = field("file")
        place = field("in")
        self.find = lines[(find + 1)..<replace].joined(separator: "\n")
        replacement = lines[(replace + 1)..<end].joined(separator: "\n")
        if file.isEmpty || field("tests").isEmpty || self.find.isEmpty {
            throw Problem("it is not in the form that README describes")
        }
        if self.find == replacement { throw Problem("it changes nothing") }
    }

    /// Where the text of the fault is in its source file, which must contain it exactly once.
    func location(in source: Source) throws -> Range<String.Index> {
        var range = source.text.startIndex..<source.text.endIndex
        if !place.isEmpty {
            let declarations = source.declarations.filter { $0.matches(place) }
            guard let first = declarations.first else {
                throw Problem("\(file): there is no declaration \"\(place)\"")
            }
            if declarations.count > 1 {
                throw Problem("\(file): there is more than one declaration \"\(place)\"")
            }
            range = first.range
        }
        let what = place.isEmpty ? "file" : "declaration"
        guard let found = source.text.range(of: find, options: .literal, range: range) else {
            throw Problem("\(file): the \(what) does not contain the text")
        }
        let rest = source.text.index(after: found.lowerBound)..<range.upperBound
        if source.text.range(of: find, options: .literal, range: rest) != nil {
            throw Problem("\(file): the \(what) contains the text more than once")
        }
        return found
    }

    /// The smallest edit that plants the fault: what its two texts have in common at their ends is left out.
    func edit(in source: Source) throws -> Edit {
        let found = try location(in: source)
        let (old, new) = (Array(find), Array(replacement))
        let limit = min(old.count, new.count)
        let before = zip(old, new).prefix { $0 == $1 }.count
        let after = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.prefix(limit - before).count
        let lower = source.text.index(found.lowerBound, offsetBy: before)
        let upper = source.text.index(found.upperBound, offsetBy: -after)
        return Edit(range: lower..<upper, replacement: String(new[before..<(new.count - after)]))
    }
}

/// A change of a text.
struct Edit {
    let range: Range<String.Index>
    let replacement: String

    /// That part of the text with this change.
    func applied(to text: String, in part: Range<String.Index>) -> String {
        text[part.lowerBound..<range.lowerBound] + replacement + text[range.upperBound..<part.upperBound]
    }
}
