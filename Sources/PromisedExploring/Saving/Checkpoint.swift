internal import Foundation

/// The file of an exploration that another process continues.
///
/// Values are not stored, only their numbers: see ``NumberingLog``.
struct Checkpoint: Storable {
    /// The events that are sent, and the properties, to recognize another explorer.
    let events: [String]
    let properties: [String]
    let hasView: Bool
    /// Of the first states.
    let states: Fingerprint
    let bounds: SearchBounds
    let memory: SearchMemory
    let notes: StoredNotes
}

extension Checkpoint {
    static var format: String { "PromisedExploring exploration" }
    static var version: Int { 2 }

    func store(in writer: inout ByteWriter) {
        writer.write(events, properties, hasView, states)
        writer.write(bounds.options.violations == .all, Int(bounds.dependencies.rawValue))
        writer.write(memory.graph, memory.known, memory.rests, memory.demands, memory.statistics, memory.log)
        writer.write(notes)
    }

    init(from reader: inout ByteReader) throws {
        (events, properties) = (try reader.read(), try reader.read())
        (hasView, states) = (try reader.read(), try reader.read())
        let (findsAll, dependencies): (Bool, Int) = (try reader.read(), try reader.read())
        memory = SearchMemory(
            graph: try reader.read(), known: try reader.read(), rests: try reader.read(),
            demands: try FairnessDemands?(from: &reader), statistics: try reader.read(),
            log: try NumberingLog?(from: &reader))
        var bounds = SearchBounds(
            depth: memory.graph.limit, ExplorationOptions(violations: findsAll ? .all : .first))
        bounds.dependencies = Dependencies(rawValue: UInt8(truncatingIfNeeded: dependencies))
        self.bounds = bounds
        notes = try reader.read()
    }

    /// The texts of the first states: a change of the program may lead to as many other ones. Which of the states with
    /// one view is the first may differ.
    static func fingerprint(of states: [some Any], hasView: Bool) -> Fingerprint {
        let texts = hasView ? [] : states.prefix(1_000).map { sortedText("\($0)") }
        return Fingerprint(of: Array(texts.joined(separator: "\n").utf8)[...])
    }

    /// The characters of a text, sorted: the text of a set has another order in each process.
    static func sortedText(_ text: String) -> String { String(text.sorted()) }

    /// Replaces the file at a path, if everything can be written.
    ///
    /// - Throws: A ``CheckpointProblem``.
    func write(to path: String) throws {
        var content = ByteWriter()
        store(in: &content)
        var file = ByteWriter()
        file.write("\(Self.format) \(Self.version)\n".utf8)
        Fingerprint(of: content.bytes[...]).store(in: &file)
        file.write(content.bytes)
        let url = URL(filePath: path)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url, options: .atomic)
        } catch {
            throw CheckpointProblem(
                "The exploration could not be saved in \(path), and what was there is unchanged: "
                    + "\(error.fileReason). Save it in another place.")
        }
    }

    /// - Throws: A ``CheckpointProblem``.
    init(path: String) throws {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw CheckpointProblem(
                "The saved exploration \(path) cannot be read: \(error.fileReason). Explore from the start, and save it."
            )
        }
        let parts = data.prefix(64).split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        let head = parts.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        guard head.hasPrefix(Self.format), data.count > head.utf8.count else {
            throw CheckpointProblem(
                "\(path) is no saved exploration. Name another file, or explore from the start.")
        }
        guard head == "\(Self.format) \(Self.version)" else {
            let version = head.dropFirst(Self.format.count + 1)
            throw CheckpointProblem(
                "\(path) has version \(version) of the format, and this package reads version \(Self.version). Use the "
                    + "package that saved it, or explore from the start.")
        }
        do {
            var reader = ByteReader([UInt8](data)[(head.utf8.count + 1)...])
            let fingerprint: Fingerprint = try reader.read()
            guard fingerprint == Fingerprint(of: reader.rest) else { throw UnexpectedEnd() }
            try self.init(from: &reader)
        } catch {
            throw CheckpointProblem(
                "The saved exploration \(path) is damaged or not complete. Explore from the start, and save it again."
            )
        }
    }
}

/// Why an exploration cannot be saved or resumed, and what to do.
struct CheckpointProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Fingerprint {
    /// Eight bytes at a time, and their number.
    init(of bytes: ArraySlice<UInt8>) {
        self.init()
        var (word, count) = (UInt64(0), UInt64(0))
        for byte in bytes {
            (word, count) = (word << 8 | UInt64(byte), count + 1)
            if count % 8 == 0 { append(Int(truncatingIfNeeded: word)) }
        }
        append(Int(truncatingIfNeeded: word))
        append(Int(truncatingIfNeeded: count))
    }
}
