/// A source file in which bodies of functions and accessors choose between themselves and their faulty variants.
///
/// ```swift
/// func next() -> Int {
///     if fault_counts_twice {
///         return number + 2
///     } else {
///         return number + 1
///     }
/// }
/// ```
struct SwitchedFile {
    private let source: Source
    /// The variants of each body, by the range of the body.
    private var variants: [(body: Body, faults: [(name: String, text: String)])] = []

    init(_ source: Source) { self.source = source }

    /// Adds a variant of the body that contains the text of the fault.
    mutating func add(_ fault: Fault) throws {
        let location = try fault.location(in: source)
        let edit = try fault.edit(in: source)
        guard let body = body(around: edit.range, near: location) else {
            throw Problem("its text is not inside of one function or accessor")
        }
        let variant = (name: fault.name, text: edit.applied(to: source.text, in: body.range))
        if let known = variants.firstIndex(where: { $0.body.range == body.range }) {
            variants[known].faults.append(variant)
        } else {
            variants.append((body, [variant]))
        }
    }

    /// The outermost function is taken, so that none with variants is inside of another.
    private func body(around edit: Range<String.Index>, near location: Range<String.Index>) -> Body? {
        let around = source.declarations.first {
            $0.range.lowerBound <= location.lowerBound && location.upperBound <= $0.range.upperBound
        }
        guard let around else { return nil }
        return Body.all(in: source.text[around.range]).first {
            $0.range.lowerBound <= edit.lowerBound && edit.upperBound <= $0.range.upperBound
        }
    }

    /// The code, and the lines of each variant in it.
    func written() -> (code: String, lines: [(range: ClosedRange<Int>, fault: String)]) {
        var code = ""
        var lines: [(range: ClosedRange<Int>, fault: String)] = []
        var line = 1
        func write(_ text: some StringProtocol) {
            code += text
            line += text.utf8.count { $0 == UInt8(ascii: "\n") }
        }
        var end = source.text.startIndex
        for (body, faults) in variants.sorted(by: { $0.body.range.lowerBound < $1.body.range.lowerBound }) {
            write(source.text[end..<body.range.lowerBound])
            let first = line
            for (name, text) in faults {
                let first = line
                write("\nif \(constant(name)) {\n\(branch(text, of: body))\n} else")
                lines.append((first...line, name))
            }
            write(" {\n\(branch(String(source.text[body.range]), of: body))\n}\n")
            // An error outside of the variants, such as one about the results of all of them, may be of any.
            lines += faults.map { (first...line, $0.name) }
            end = body.range.upperBound
        }
        write(source.text[end...])
        // Public functions may be inlined, and use only what other modules can see.
        for fault in variants.flatMap(\.faults) {
            write("@usableFromInline let \(constant(fault.name)) = isPlanted(\"\(fault.name)\")\n")
        }
        return (code, lines)
    }

    private func branch(_ text: String, of body: Body) -> String { body.hasResult ? explicit(text) : text }

    private func constant(_ name: String) -> String { "fault_" + name.replacing("-", with: "_") }
}
