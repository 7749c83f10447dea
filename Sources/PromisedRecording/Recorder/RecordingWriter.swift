internal import Foundation
internal import Promise

/// Makes lines of the facts of a session, and writes them, on a queue of its own.
final class RecordingWriter: Sendable {
    private struct Writing: Sendable {
        /// Nil after the end.
        var output: (any RecordingOutput)?
        var session: SessionLines
        var ring = RingSegments()
        var hasHeader = false
    }

    private let writing: Lock<Writing>
    private let header: RecordingHeader
    private let mode: SessionRecorder.Mode
    private let onProblem: @Sendable (RecorderError) -> Void
    private let queue = QueueScheduler.serial("PromisedRecording.writer", qos: .utility)

    /// After so many bytes, lines are written while others are made.
    private static let pieceSize = 262_144

    init(
        _ output: any RecordingOutput, mode: SessionRecorder.Mode, redaction: Redaction, program: String,
        onProblem: @escaping @Sendable (RecorderError) -> Void
    ) {
        (self.mode, self.onProblem) = (mode, onProblem)
        writing = Lock(
            Writing(output: output, session: SessionLines(mode, redaction, after: output.earlier)))
        header = RecordingHeader(
            program: program, started: Date.now.ISO8601Format(), mode: mode.name, isDebug: Self.isDebug)
    }

    private static var isDebug: Bool {
        #if DEBUG
            true
        #else
            false
        #endif
    }

    /// The work after the noted facts are written.
    enum Task: Sendable {
        case none, save, finish
    }

    /// Writes the noted facts, on the writer's queue.
    ///
    /// - Parameter done: Called there afterwards.
    func write(
        _ buffer: FactBuffer, _ task: Task = .none, after delay: Duration = .zero,
        done: @escaping @Sendable () -> Void = {}
    ) {
        let work: @Sendable () -> Void = { [self] in
            do throws(RecorderError) {
                if writing.withLock({ $0.output != nil }) { try perform(task, buffer, &writing.exclusive) }
            } catch {
                writing.exclusive.output = nil
                buffer.close(keepsFacts: false)
                buffer.removeAll()
                onProblem(error)
            }
            done()
        }
        if delay > .zero { queue.schedule(after: delay, work) } else { queue.schedule(work) }
    }

    private func perform(_ task: Task, _ buffer: FactBuffer, _ writing: inout Writing) throws(RecorderError) {
        if task == .finish { buffer.close(keepsFacts: true) }
        try writeFacts(of: buffer, isLast: task == .finish, &writing)
        if task == .finish {
            writing.session.addEnd(lost: buffer.lost)
            buffer.removeAll()
        }
        try writeLines(&writing)
        if mode.isRing, task != .none || writing.session.hasFailed && mode.savesOnError {
            try writing.output?.replace(by: header.line(of: writing.session) + writing.ring.lines)
        }
        writing.session.hasFailed = false
        // So the file is closed.
        if task == .finish { writing.output = nil }
    }

    private func writeFacts(
        of buffer: FactBuffer, isLast: Bool, _ writing: inout Writing
    ) throws(RecorderError) {
        let taken = buffer.take()
        var markers = taken.markers[...]
        while true {
            // The source of the next fact is read until the next fact is of another one.
            var (next, source, limit): (Int, (SystemFacts)?, Int) = (taken.upTo + 1, nil, taken.upTo + 1)
            for other in taken.sources {
                guard let number = other.nextNumber, number < limit else { continue }
                if number < next { (next, source, limit) = (number, other, next) } else { limit = number }
            }
            if let marker = markers.first, marker.number < next {
                markers.removeFirst()
                writing.session.add(marker: marker.kind)
                continue
            }
            guard let source else { break }
            limit = min(limit, markers.first?.number ?? .max)
            while let number = source.nextNumber, number < limit {
                if !source.isNextSkipped {
                    try addKeyIfNeeded(taken.sources, before: source.nextTime, &writing)
                }
                source.writeNext(to: &writing.session)
                if writing.session.bytes.count >= Self.pieceSize { try writeLines(&writing) }
            }
        }
        for source in taken.sources {
            source.adaptCapacity()
            if isLast || source.isOver { source.writeEnd(to: &writing.session) }
            if source.isOver { buffer.remove(source) }
        }
        // The state of the last turn may be in no line.
        if isLast, case .sampled = mode { writing.session.requireKey() }
        // With an open window, they are better written when the time of the next line is known.
        if isLast || writing.session.areWindowsClosed { try addKeyIfNeeded(taken.sources, &writing) }
    }

    private func addKeyIfNeeded(
        _ sources: [SystemFacts], before time: Duration? = nil, _ writing: inout Writing
    ) throws(RecorderError) {
        guard writing.session.needsKey(before: time) else { return }
        writing.session.addResumption()
        try writeLines(&writing)
        writing.session.addKey(sources.compactMap { $0.fullState(&writing.session) }, before: time)
        if mode.isRing { writing.ring.begin(at: writing.session.turn) }
    }

    private func writeLines(_ writing: inout Writing) throws(RecorderError) {
        let lines = writing.session.takeBytes()
        if case .last(let turns, _) = mode {
            return writing.ring.add(lines, keeping: turns, of: writing.session.turn)
        }
        let start = writing.hasHeader ? [] : header.line(of: writing.session)
        writing.hasHeader = true
        if !start.isEmpty || !lines.isEmpty { try writing.output?.write(start + lines) }
    }
}

extension RecordingHeader {
    fileprivate func line(of session: SessionLines) -> [UInt8] {
        var (line, members): ([UInt8], [JSONMember]) = ([], fact.fields.object ?? [])
        session.setEnded(limit: SessionLines.maximumEnded, &members)
        RecordedFact(turn: session.firstTurn, .recording, .object(members)).write(to: &line)
        return line
    }
}
