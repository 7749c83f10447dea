import Foundation
import Promise
import TestSupport
import Testing

@testable import PromisedRecording

/// Each test has a folder of its own, as the path of a socket is short.
@Suite(.tags(.sharedState)) final class SocketTransportTests {
    private let folder: String

    init() throws {
        folder = "/tmp/travel-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { folder + "/s" }

    private func counter() -> (System<Int, Int>, TimeTravel<Int, Int>) {
        let system = System<Int, Int>(initialState: 10, scheduler: .serial("counter")) { .value($0 + $1) }
        return (system, TimeTravel(system))
    }

    @Test("A system is controlled from the other end of a socket")
    func commands() async throws {
        let (system, travel) = counter()
        let server = try travel.serve(at: path)
        let remote = RemoteTimeTravel(over: try SocketTransport(connectingTo: path))
        for number in 1...3 { system.sendEvent(number) }
        try await system.whenIdle().value
        try await remote.perform(.jump(to: 2)).value
        #expect(system.state == 13)
        #expect(try await remote.history().value.showing == .turn(2))
        try await remote.perform(.stop(arriving: .queue)).value
        system.sendEvent(4)
        try await remote.perform(.step).value
        try await remote.perform(.showPresent).value
        #expect(system.state == 20)
        server.close()
        await #expect(throws: TimeTravelError.disconnected) { try await remote.history().value }
        #expect(!FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(server) {}
    }

    @Test("A connection that has sent more than may wait at once goes on") func long() async throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        let near = SocketTransport(accepted: sockets[0], unsentLimit: 2_500)
        let far = SocketTransport(accepted: sockets[1])
        let (received, messages) = AsyncStream.makeStream(of: String.self)
        far.receive({ messages.yield($0) }, onClose: { messages.finish() })
        var iterator = received.makeAsyncIterator()
        for number in 1...9 {
            let message = String(repeating: "\(number)", count: 1_000)
            near.send(message)
            #expect(await iterator.next() == message)
        }
        near.close()
        #expect(await iterator.next() == nil)
    }

    @Test("Only the user may connect")
    func mode() throws {
        let (_, travel) = counter()
        let server = try travel.serve(at: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        withExtendedLifetime(server) {}
    }

    @Test(
        "A file that is no socket is kept, a socket in use is refused, one that was left behind is replaced")
    func paths() async throws {
        let (_, travel) = counter()
        try "text".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: TimeTravelError.socket(path: path, reason: "a file is there that is no socket")) {
            try travel.serve(at: path)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "text")
        try FileManager.default.removeItem(atPath: path)

        let server = try travel.serve(at: path)
        #expect(throws: TimeTravelError.socket(path: path, reason: "another program serves it")) {
            try travel.serve(at: path)
        }
        let link = folder + "/left"
        try FileManager.default.linkItem(atPath: path, toPath: link)
        server.close()
        let other = try travel.serve(at: link)
        let remote = RemoteTimeTravel(over: try SocketTransport(connectingTo: link))
        #expect(try await remote.history().value.turns.count == 1)
        withExtendedLifetime(other) {}
    }

    @Test(
        "A path that cannot be one is refused",
        arguments: ["", "/nonexistent/s", String(repeating: "x", count: 200), "a\0b"])
    func unusable(_ path: String) throws {
        let (_, travel) = counter()
        #expect(throws: TimeTravelError.self) { try travel.serve(at: path) }
        #expect(throws: TimeTravelError.self) { try SocketTransport(connectingTo: path) }
    }

    @Test("One connection is served at a time: a second one waits for the end of the first")
    func second() async throws {
        let (_, travel) = counter()
        let server = try travel.serve(at: path)
        var first: RemoteTimeTravel? = RemoteTimeTravel(over: try SocketTransport(connectingTo: path))
        #expect(try await first?.history().value.turns.count == 1)
        let second = RemoteTimeTravel(over: try SocketTransport(connectingTo: path))
        let history = second.history()
        history.start(on: .immediate)
        #expect(try await first?.history().value.turns.count == 1)
        first = nil
        #expect(try await history.value.turns.count == 1)
        withExtendedLifetime(server) {}
    }

    @Test("A message that is too long ends the connection; one that is no JSON is answered")
    func hostile() async throws {
        let (_, travel) = counter()
        let server = try travel.serve(at: path)
        let transport = try SocketTransport(connectingTo: path)
        let (answers, closed) = (Entries<String>(), Promise<Void>.pending())
        transport.receive({ answers.add($0) }, onClose: { closed.resolver.fulfill(()) })
        transport.send("\u{0}\nno JSON")
        transport.send(String(repeating: " ", count: 2 << 20))
        try await closed.promise.value
        #expect(answers.all.first?.hasPrefix(#"{"error":"The message is no JSON"#) == true)
        let other = RemoteTimeTravel(over: try SocketTransport(connectingTo: path))
        #expect(try await other.history().value.turns.count == 1)
        withExtendedLifetime(server) {}
    }

    @Test("An answer that is too long says so, and keeps its number")
    func longAnswer() {
        let answer = TravelAnswer(id: 3, state: String(repeating: "a", count: 100))
        #expect(answer.text(limit: 119).hasPrefix(#"{"id":3,"state":"aaa"#))
        #expect(
            answer.text(limit: 118)
                == #"{"error":"The answer has 119 bytes; 118 are allowed. "#
                + #"Keep fewer turns, or a smaller state.","id":3}"#)
    }

    @Test("A released server ends its connections")
    func released() async throws {
        let (_, travel) = counter()
        var server: TimeTravelServer? = try travel.serve(at: path)
        let remote = RemoteTimeTravel(over: try SocketTransport(connectingTo: path))
        #expect(try await remote.history().value.turns.count == 1)
        withExtendedLifetime(server) {}
        server = nil
        await #expect(throws: TimeTravelError.disconnected) { try await remote.history().value }
        #expect(throws: TimeTravelError.self) { try SocketTransport(connectingTo: path) }
    }
}
