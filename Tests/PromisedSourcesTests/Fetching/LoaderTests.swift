import Foundation
import Promise
import PromisedSources
import PromisedTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

enum LoaderKind: String, CaseIterable, Sendable {
    case urlSession, sockets
    func make() -> any DataLoader {
        switch self {
        case .urlSession: URLSessionLoader()
        case .sockets: SocketLoader()
        }
    }
}

/// Against a server on the loopback. Time is real, and only waited for by awaiting answers. A session of Foundation
/// keeps a processor busy while it waits on Linux, so these tests do not queue behind others.
@Suite(.tags(.sharedState), .ownThreads) struct LoaderTests {
    let server = LoopbackServer.misbehaving()

    /// The outcome of a fetch, when it is there.
    private func outcome(_ path: String, _ kind: LoaderKind) async -> Fetchable<Data> {
        let source = kind.make().source(for: server.request(path), on: QueueScheduler.serial("loads"))
        for await model in source.values where model.fetching == nil { return model }
        return source.value
    }

    private func text(_ path: String, _ kind: LoaderKind) async -> String? {
        await outcome(path, kind).fetched.map { String(decoding: $0.value, as: UTF8.self) }
    }

    private func failure(_ path: String, _ kind: LoaderKind) async -> HTTPFailure? {
        await outcome(path, kind).failure?.error as? HTTPFailure
    }

    @Test("SA-52: answers of a real server", arguments: LoaderKind.allCases)
    func answers(_ kind: LoaderKind) async {
        #expect(await text("/ok", kind) == "hi")
        #expect(await text("/redirect", kind) == "hi")
        #expect(await text("/slow", kind) == "123456")
        #expect(await text("/chunked", kind) == "abcde")
        #expect(await text("/unbounded", kind) == "to the end")
        #expect(await failure("/404", kind) == HTTPFailure(status: 404, data: Data("none".utf8)))
        #expect(await failure("/429", kind) == HTTPFailure(status: 429, retryAfter: .seconds(120)))
        #expect(await failure("/500", kind) == HTTPFailure(status: 500))
        #expect(await failure("/304", kind) == HTTPFailure(status: 304))
        #expect(await failure("/401", kind) == HTTPFailure(status: 401, data: Data("who?".utf8)))
        // The server may not have an answer at all.
        #expect(await outcome("/nothing", kind).failure?.error is URLError)
        #expect(await outcome("/cut-line", kind).failure?.error is URLError)
        #expect(await outcome("/cut-length", kind).failure?.error is URLError)
        #expect(await outcome("/cut-body", kind).failure?.error is URLError)
        #expect(await outcome("/cut-chunk", kind).failure?.error is URLError)
        #expect(await outcome("/garbage", kind).failure != nil)
        #expect(await outcome("/loop", kind).failure != nil)
    }

    @Test(
        "SA-52: a server that closes the connection inside of the head is a failure for sockets, and fields after the body are read"
    )
    func cutHead() async {
        for path in ["/cut-head", "/cut-name", "/cut-redirect", "/redirect-cut"] {
            #expect(await outcome(path, .sockets).failure?.error is URLError)
        }
        #expect(await text("/trailer", .sockets) == "abc")
    }

    #if canImport(FoundationNetworking)
        // If these fail, Foundation is mended, and the documentation of the loader can be as well.
        @Test("SA-52: Foundation ends the process if a server closes the connection inside of the head")
        func knownFault() async {
            await #expect(processExitsWith: .failure) { await Self.load("/cut-head") }
        }

        @Test("SA-52: Foundation ends the process if fields follow the body")
        func knownFaultOfTrailers() async {
            await #expect(processExitsWith: .failure) { await Self.load("/trailer") }
        }

        private static func load(_ path: String) async {
            let server = LoopbackServer.misbehaving()
            _ = try? await URLSessionLoader().load(server.request(path)) { _ in }.value
        }
    #endif

    @Test(
        "SA-52: a request is cancelled with its source, which closes the connection",
        arguments: LoaderKind.allCases)
    func released(_ kind: LoaderKind) async {
        let loader = kind.make()
        var source: Source? = loader.source(for: server.request("/held"), on: QueueScheduler.serial("loads"))
        // The first part of the body has arrived.
        if let values = source?.values {
            for await model in values where model.fetching?.progress == FetchProgress(completed: 2, total: 6)
            { break }
        }
        source = nil
        for await path in server.closed {
            #expect(path == "/held")
            break
        }
    }

    @Test(
        "SA-52: a loader that is released ends its requests first, and is not kept",
        arguments: LoaderKind.allCases)
    func noLeak(_ kind: LoaderKind) async throws {
        weak var released: (any DataLoader & AnyObject)?
        let answer: LoadedData
        do {
            let loader = kind.make()
            released = loader as? any DataLoader & AnyObject
            answer = try await loader.load(server.request("/ok")) { _ in }.value
        }
        #expect(answer.data == Data("hi".utf8) && answer.status == 200 && answer.header("etag") == "\"1\"")
        #expect(released == nil)
    }
}
