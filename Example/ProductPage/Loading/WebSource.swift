import Foundation
import PromisedSystem

/// The products of a page on the web.
///
/// A second process of this program fetches it: a server that closes the connection inside the head of its answer
/// makes Foundation on Linux stop the process (swift-corelibs-foundation, issue 5285), and nothing can catch that.
struct WebSource: CatalogueSource {
    let url: URL
    /// This program.
    var program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    /// The day that it is, of which the prices are.
    var today: @Sendable () -> Day = { Day() }

    private var name: String { SourceLocation.web(url).name }

    func catalogue() -> Promise<Catalogue> {
        Promise { try await page() }.map { page in
            try ProductReader.read(
                page.body, charset: page.charset, from: name, address: page.address, today: today())
        }
    }

    /// What a page is made of, and where it was in the end.
    typealias Page = (body: [UInt8], charset: String?, address: URL)

    /// The page, redirects followed. Cancelling the task ends the other process and with it the connection.
    func page() async throws -> Page {
        try Task.checkCancellation()
        let (input, output, process) = (Pipe(), Pipe(), Process())
        process.executableURL = URL(filePath: program)
        process.arguments = [Fetch.argument, url.absoluteString]
        process.standardInput = input
        process.standardOutput = output
        // How it stopped is of no use to a user.
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw PageError.failed("\(name): cannot start \(program): \(error.localizedDescription)")
        }
        try? output.fileHandleForWriting.close()
        let answer = dup(output.fileHandleForReading.fileDescriptor)
        defer {
            process.terminate()
            try? output.fileHandleForReading.close()
            try? input.fileHandleForWriting.close()
        }
        let limit = ProductReader.maximumBytes + Fetch.maximumHead
        return try page(await FileReading.bytes(name: name, limit: limit) { answer }.value)
    }

    /// What the other process wrote: a line about the answer, then its body.
    private func page(_ bytes: [UInt8]) throws(PageError) -> Page {
        guard let end = bytes.firstIndex(of: 0x0A),
            let head = try? JSONDecoder().decode(Fetch.Head.self, from: Data(bytes[..<end]))
        else {
            throw .unavailable(source: name, reason: "the connection was closed without a proper answer")
        }
        switch head {
        case .page(let charset, let address): return (Array(bytes[(end + 1)...]), charset, address ?? url)
        case .tooLarge: throw .noInput(source: name, reason: ProductReader.tooLarge)
        case .unavailable(let reason, let seconds):
            throw .unavailable(source: name, reason: reason, retryAfter: seconds.map { .seconds($0) })
        }
    }
}
