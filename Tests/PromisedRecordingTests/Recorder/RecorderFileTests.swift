import Foundation
import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedRecording

/// The file of a recorder: who may write to it, and what remains of it when something fails.
@Suite(.ownThreads, .tags(.sharedState)) struct RecorderFileTests {
    private static func counter(_ recorder: SessionRecorder) -> System<[String], String> {
        System(
            initialState: [], scheduler: .immediate, reducer: Reducer { $0 = [$1] },
            configuration: .init().recorded(by: recorder, as: "counter"))
    }

    // MARK: Opening

    @Test("A file that another recorder writes to is refused, until that one has finished and is released")
    func inUse() async throws {
        var session: RecordedSession? = try RecordedSession()
        let path = try #require(session?.path)
        let link = path + ".link"
        try FileManager.default.linkItem(atPath: path, toPath: link)
        defer { try? FileManager.default.removeItem(atPath: link) }
        for mode in [SessionRecorder.Mode.all, .last(turns: 1)] {
            #expect(throws: RecorderError.inUse(path: link)) {
                try SessionRecorder(to: .file(link, appending: true), mode: mode)
            }
        }
        // As a process has it that is started at this moment.
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        let copies = descriptors.compactMap(Int32.init).map { dup($0) }
        defer { for copy in copies { close(copy) } }
        #expect(copies.count == 1)
        await session?.recorder.finish()
        session = nil
        #expect(throws: RecorderError.exists(path: link, isRecording: true)) {
            try SessionRecorder(to: .file(link))
        }
    }

    @Test("A file that is no recording is left as it is, and a path without a file is refused")
    func others() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        try Data("a letter\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        for mode in [SessionRecorder.Mode.all, .last(turns: 1)] {
            for appending in [false, true] {
                #expect(throws: RecorderError.exists(path: path, isRecording: false)) {
                    try SessionRecorder(to: .file(path, appending: appending), mode: mode)
                }
            }
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a letter\n")
        let directory = FileManager.default.temporaryDirectory.path
        #expect(throws: RecorderError.unwritable(path: directory, reason: "Is a directory")) {
            try SessionRecorder(to: .file(directory))
        }
        #expect(throws: RecorderError.unwritable(path: "\(path)/none", reason: "Not a directory")) {
            try SessionRecorder(to: .file("\(path)/none"))
        }
        #expect(throws: RecorderError.unwritable(path: "/dev/null", reason: "it is not a regular file")) {
            try SessionRecorder(to: .file("/dev/null"))
        }
    }

    @Test("A recording is continued as a further session, even if its last line is torn")
    func appending() async throws {
        let session = try RecordedSession()
        var system: System<[String], String>? = Self.counter(session.recorder)
        for text in ["a", "b"] { system?.sendEvent(text) }
        await session.recorder.finish()
        var text = session.text
        text.removeLast(5)
        let path = session.path + ".torn"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = try SessionRecorder(to: .file(path, appending: true))
        system = Self.counter(recorder)
        system?.sendEvent("c")
        await recorder.finish()
        let recording = try Recording(contentsOf: path)
        #expect(recording.turns == 0...4)
        #expect(try recording.problems().map(\.line) == [6])
        var playback = try recording.playback(of: "counter", [String].self)
        try playback.seek(to: 1)
        #expect(try playback.state == ["a"])
        // The last state of the first session, and the first one of the second, are of different turns.
        try playback.seek(to: 2)
        #expect(try playback.state == ["b"])
        try playback.seek(to: 3)
        #expect(try playback.state == [])
        try playback.seek(to: 4)
        #expect(try playback.state == ["c"])
    }

    @Test("The last turns are a further session of a recording that is continued")
    func appendingLastTurns() async throws {
        let session = try RecordedSession()
        var system: System<[String], String>? = Self.counter(session.recorder)
        system?.sendEvent("a")
        await session.recorder.finish()
        let first = session.text
        let recorder = try SessionRecorder(to: .file(session.path, appending: true), mode: .last(turns: 1))
        system = Self.counter(recorder)
        for number in 0..<250 {
            system?.sendEvent("\(number)")
            if number % 100 == 0 { recorder.save() }
        }
        await recorder.finish()
        #expect(session.text.hasPrefix(first))
        let recording = try session.openRecording()
        #expect(try recording.turns == 0...252 && recording.problems() == [])
        var playback = try recording.playback(of: "counter", [String].self)
        for (turn, text) in [(1, "a"), (252, "249")] {
            try playback.seek(to: turn)
            #expect(try playback.state == [text])
        }
        withExtendedLifetime(system) {}
    }

    @Test("A system that existed only in the middle of a recording is known", arguments: [true, false])
    func systemInTheMiddle(isFinished: Bool) async throws {
        let session = try RecordedSession()
        let system = Self.counter(session.recorder)
        func send(_ count: Int) { for number in 0..<count { system.sendEvent("\(number)") } }
        send(150)
        do {
            let screen = System<Int, Int>(
                initialState: 0, scheduler: .immediate, reducer: Reducer { $0 += $1 },
                configuration: .init().recorded(by: session.recorder, as: "screen"))
            screen.sendEvent(7)
        }
        await session.recorder.flush()
        send(250)
        await session.recorder.flush()
        if isFinished { await session.recorder.finish() }
        let recording = try session.openRecording()
        #expect(recording.systems.map(\.name) == ["counter", "screen"])
        var playback = try recording.playback(of: "screen", Int.self)
        try playback.seek(to: 151)
        #expect(try playback.state == 7)
        try playback.seek(to: 400)
        #expect(throws: RecordingError.self) { try playback.state }
    }

    @Test("A path with a byte 0 is refused, and not cut off there")
    func zeroByte() throws {
        let session = try RecordedSession()
        let path = session.path + "\u{0}.jsonl"
        #expect(throws: RecorderError.unwritable(path: path, reason: "the path has a byte 0")) {
            try SessionRecorder(to: .file(path, appending: true))
        }
        #expect(throws: RecordingError.unreadable(path: path, reason: "the path has a byte 0")) {
            try Recording(contentsOf: path)
        }
    }

    @Test("The file is readable for its owner only") func permissions() throws {
        let session = try RecordedSession()
        let attributes = try FileManager.default.attributesOfItem(atPath: session.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    // MARK: Failing

    @Test("On a full disk the recording ends with a whole line and one report, and the program goes on")
    func fullDisk() async throws {
        await #expect(processExitsWith: .success) {
            // A write beyond the limit fails as one on a full disk does.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return }
            let session = try RecordedSession()
            let system = Self.counter(session.recorder)
            for number in 0..<1_000 {
                system.sendEvent(String(repeating: "\(number) ", count: 20))
                if number % 100 == 0 { await session.recorder.flush() }
            }
            await session.recorder.flush()
            try #require(session.problems.count == 1)
            guard case .stopped(session.path, let reason) = session.problems[0] else {
                throw session.problems[0]
            }
            try #require(reason == "File too large")
            system.sendEvent("last")
            try #require(system.state == ["last"])
            await session.recorder.finish()
            try #require(session.problems.count == 1)
            let recording = try session.openRecording()
            try #require(recording.problems() == [])
            try #require(recording.turns.upperBound > 50)
            try #require(session.text.hasSuffix("\n") && session.text.utf8.count <= 20_000)
        }
    }

    @Test("If the last turns have no room, those that were saved before stay") func fullDiskOfRing()
        async throws
    {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
            guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return }
            let session = try RecordedSession(.last(turns: 1))
            let system = Self.counter(session.recorder)
            system.sendEvent("small")
            session.recorder.save()
            await session.recorder.flush()
            #expect(throws: RecorderError.inUse(path: session.path)) {
                try SessionRecorder(to: .file(session.path), mode: .last(turns: 1))
            }
            let saved = session.text
            try #require(saved.contains("small"))
            system.sendEvent(String(repeating: "large ", count: 10_000))
            session.recorder.save()
            await session.recorder.flush()
            try #require(session.problems == [.stopped(path: session.path, reason: "File too large")])
            try #require(session.text == saved)
            try #require(!FileManager.default.fileExists(atPath: "\(session.path).new"))
        }
    }

    @Test("A program that is killed loses what was noted since the last flush")
    func kill() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let recorder = try SessionRecorder(to: .file(path))
            let system = Self.counter(recorder)
            for number in 0..<500 { system.sendEvent("\(number)") }
            await recorder.flush()
            for number in 0..<500 { system.sendEvent("\(number)") }
            Foundation.kill(getpid(), SIGKILL)
        }
        let recording = try Recording(contentsOf: path)
        #expect(try recording.problems() == [])
        #expect(recording.turns.upperBound >= 500)
        let playback = try recording.playback(of: "counter", [String].self)
        #expect(try playback.state == [])
    }

    // MARK: A slow file

    @Test(
        "A loop does not wait for the file: what does not fit is counted, and the states are known again after it"
    )
    func lost() async throws {
        let output = HeldOutput()
        let recorder = SessionRecorder(output, memory: 200_000) { _ in }
        let large = String(repeating: "large ", count: 1_000)
        let system = System<[String], String>(
            initialState: [large], scheduler: .immediate, reducer: Reducer { $0 = [large, $1] },
            configuration: .init().recorded(by: recorder, as: "counter"))
        system.sendEvent("first")
        output.open(writes: 2)
        await recorder.flush()
        system.sendEvent("second")
        let flushed = Task { await recorder.flush() }
        for number in 0..<1_000 { system.sendEvent("\(number)") }
        let lost = recorder.lost
        #expect(lost > 900)
        output.open()
        await flushed.value
        await recorder.flush()
        system.sendEvent("last")
        await recorder.finish()
        #expect(recorder.lost == lost)
        #expect(output.text.contains(#""k":"lost""#))
        try read(output.bytes) { recording in
            #expect(try recording.problems() == [])
            #expect(recording.turns == 0...1_003)
            var playback = try recording.playback(of: "counter", [String].self)
            for (turn, text) in [(1, "first"), (2, "second"), (1_002, "999"), (1_003, "last")] {
                try playback.seek(to: turn)
                #expect(try playback.state == [large, text])
            }
        }
    }

    @Test("When the recorder and its systems are released, the recording ends by itself") func released()
        async throws
    {
        let output = HeldOutput()
        output.open()
        Self.counter(SessionRecorder(output) { _ in }).sendEvent("a")
        try await output.ended.value
        #expect(output.text.contains(#""e":"a""#))
    }
}
