import Foundation

// Compares the coverage of two runs, of which the second one does the same two times more, and prints the files of the
// library whose functions those two times have called.

struct Coverage: Decodable {
    struct Part: Decodable { let functions: [Function] }

    struct Function: Decodable {
        let name: String
        let count: Int
        let filenames: [String]
    }

    let data: [Part]

    /// The number of calls of each function of the library, by file and name.
    static func calls(in path: String) throws -> [String: [String: Int]] {
        let coverage = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: path)))
        var calls: [String: [String: Int]] = [:]
        for function in coverage.data.flatMap(\.functions) {
            guard let file = function.filenames.first, let range = file.range(of: "/Sources/Promise") else {
                continue
            }
            let start = file.index(range.lowerBound, offsetBy: "/Sources/".count)
            calls[String(file[start...]), default: [:]][function.name, default: 0] += function.count
        }
        return calls
    }
}

let before = try Coverage.calls(in: CommandLine.arguments[1])
let after = try Coverage.calls(in: CommandLine.arguments[2])
for (file, functions) in after.sorted(by: { $0.key < $1.key }) {
    let more = functions.map { $1 - (before[file]?[$0] ?? 0) }.filter { $0 > 0 }
    if !more.isEmpty { print("\(file)\t\(more.count) functions\t\(more.reduce(0, +) / 2) calls") }
}
