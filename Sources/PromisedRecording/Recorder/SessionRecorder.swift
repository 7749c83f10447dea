internal import Promise

/// Records what happens in systems to a file, which ``Recording`` reads.
///
/// ```swift
/// import PromisedRecording
///
/// func record(_ counter: System<Int, Int>) async throws {
///     let recorder = try SessionRecorder(to: .file("session.jsonl"), program: "counter 1.0")
///     recorder.record(counter, as: "counter")
///     counter.sendEvent(1)
///     await recorder.finish()
/// }
/// ```
///
/// Each event, turn, state, effect, call of an endpoint and timer is a line. States and events whose types are
/// `Codable` can be played back and run again; of others, the file has readable text. They are encoded on a queue of
/// the recorder, so an `encode(to:)` must not depend on a thread.
///
/// The systems never wait for the file. Facts that are not encoded yet are kept in memory, up to 100,000 of a system, or
/// about 64 MiB of states; further ones are dropped, and counted in the file and in ``lost``. Lines are written every
/// 0.2 seconds: a program that is killed loses those since. If a write fails, as on a full disk, that is reported once,
/// and nothing more is recorded; the program continues.
///
/// While a system is recorded, each answer of an endpoint is delivered as work of its own of the system's scheduler, so
/// that its place among the events is known; an immediate answer arrives a little later than otherwise.
///
/// A recorder is in use as long as it or a recorded system exists. The file ends with a line that says so after
/// ``finish()``, or when all of them are released.
public final class SessionRecorder: Sendable {
    /// Where a session is recorded to.
    public enum Destination: Sendable, Hashable {
        /// A file, which is created readable for its owner only.
        ///
        /// - Parameter appending: Whether a recording in the file is continued, as a further session. Otherwise an
        ///   existing file is refused; only with ``Mode/last(turns:savingOnError:)`` is a recording replaced, by a file
        ///   that is written beside it, with `.new` behind its name.
        case file(String, appending: Bool = false)
    }

    /// The part of a session that is written.
    public enum Mode: Sendable, Hashable {
        /// Everything.
        case all
        /// The last turns, at least so many, which are kept in memory until ``SessionRecorder/save()``, and until
        /// ``SessionRecorder/finish()``; at most 64 MiB.
        ///
        /// - Parameter savingOnError: Whether they are saved as well when a transition or an effect has failed.
        case last(turns: Int, savingOnError: Bool = false)
        /// Everything but the states, of which only that of each so many turns is written, and one after at most each
        /// 100 turns. States between these cannot be played back, and are not compared when the session is run again.
        case sampled(every: Int)

        var name: String {
            switch self {
            case .all: "all"
            case .last: "last"
            case .sampled: "sampled"
            }
        }
        var isRing: Bool { if case .last = self { true } else { false } }
        var savesOnError: Bool { if case .last(_, true) = self { true } else { false } }
    }

    let buffer: FactBuffer
    private let mode: Mode
    let clock = SessionClock()
    private let writer: RecordingWriter

    /// Creates a recorder, and its file.
    ///
    /// - Parameters:
    ///   - destination: Where the session is recorded to.
    ///   - mode: The part of the session that is written.
    ///   - redaction: The changes of values before they are written.
    ///   - program: The name and version of the program, for the first line of the file.
    ///   - onProblem: Called once, on a queue of the recorder, if the session cannot be written any more; nil to report
    ///     that to `PromiseDiagnostics`.
    /// - Throws: A ``RecorderError`` if the file exists, cannot be created, or is in use by another recorder.
    public convenience init(
        to destination: Destination, mode: Mode = .all, redaction: Redaction = Redaction(),
        program: String = "",
        onProblem: (@Sendable (RecorderError) -> Void)? = nil, file: StaticString = #fileID,
        line: UInt = #line
    ) throws(RecorderError) {
        let (path, appending) =
            switch destination {
            case .file(let path, let appending): (path, appending)
            }
        let output = try OutputFile(path, appending: appending, replacing: mode.isRing)
        self.init(output, mode: mode, redaction: redaction, program: program) { error in
            if let onProblem { return onProblem(error) }
            PromiseDiagnostics.report(.init(problem: error, origin: Origin(file, line)))
        }
    }

    init(
        _ output: any RecordingOutput, mode: Mode = .all, redaction: Redaction = Redaction(),
        program: String = "",
        memory: Int = 64 << 20, onProblem: @escaping @Sendable (RecorderError) -> Void
    ) {
        let writer = RecordingWriter(
            output, mode: mode, redaction: redaction, program: program, onProblem: onProblem)
        (self.writer, self.mode) = (writer, mode)
        buffer = FactBuffer(memory: memory) { [weak writer] buffer, delay in
            writer?.write(buffer, after: delay)
        }
    }

    deinit { writer.write(buffer, .finish) }

    /// How many facts were dropped, because the file could not be written fast enough.
    public var lost: Int { buffer.lost }

    /// Records nothing until ``resume()``. The file says so. A no-op if the recorder is paused.
    public func pause() { buffer.pause(true) }

    /// Records again, beginning with the states as they are. A no-op unless the recorder is paused.
    public func resume() { buffer.pause(false) }

    /// Writes the last turns to the file, in the place of those that were saved before; with another mode than
    /// ``Mode/last(turns:savingOnError:)``, all facts until now. Returns at once; await ``flush()`` for the end.
    public func save() { writer.write(buffer, .save) }

    /// Does not wait for the next interval, as the program may be about to end.
    func saveAfterError() { if mode.savesOnError { writer.write(buffer) } }

    /// Writes all facts until now to the file, and returns when that is done; with the mode
    /// ``Mode/last(turns:savingOnError:)``, to memory.
    public func flush() async {
        await withCheckedContinuation { continuation in
            writer.write(buffer) { continuation.resume() }
        }
    }

    /// Writes all facts until now, ends the recording, and returns when that is done. Nothing is recorded any
    /// more.
    public func finish() async {
        await withCheckedContinuation { continuation in
            writer.write(buffer, .finish) { continuation.resume() }
        }
    }
}
