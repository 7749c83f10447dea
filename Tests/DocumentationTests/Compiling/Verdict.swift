import Foundation

/// What the compiler said of some texts the last time, beside what it was asked.
///
/// The compiler says the same of the same input. The key is that input as a whole, with the modules and the compiler: no
/// hash, no collision.
struct Verdict {
    /// The folder in which it is kept.
    let slot: URL
    let key: String

    private var success: URL { slot.appending(path: "compiled") }
    private var refused: URL { slot.appending(path: "refused") }
    private var report: URL { slot.appending(path: "report.txt") }

    /// Whether the same texts have compiled.
    var isSuccess: Bool { holdsKey(success) }

    /// What the compiler said when it refused the same texts; nil if it did not, or if that was not kept.
    var refusal: String? { holdsKey(refused) ? try? String(contentsOf: report, encoding: .utf8) : nil }

    func keepSuccess() throws { try key.write(to: success, atomically: true, encoding: .utf8) }

    /// Keeps a report, unless one of its errors has no place in a text: that may have another reason than the texts, such
    /// as a full disk.
    func keepRefusal(_ text: String) throws {
        let errors = text.split(separator: "\n").filter { $0.contains("error: ") }
        let isAboutTexts = errors.allSatisfy { $0.contains(#/^[^<:]+:\d+:\d+: error: /#) }
        guard !errors.isEmpty, isAboutTexts else { return }
        try text.write(to: report, atomically: true, encoding: .utf8)
        // Last, so that a key is never there without its report.
        try key.write(to: refused, atomically: true, encoding: .utf8)
    }

    private func holdsKey(_ file: URL) -> Bool { (try? String(contentsOf: file, encoding: .utf8)) == key }
}
