package import Foundation

/// A second process of the program, which fetches an address.
///
/// A server that closes the connection inside the head of its answer makes Foundation on Linux stop the process
/// (swift-corelibs-foundation, issue 5285), and nothing can catch that.
package struct FetchProcess {
    /// The body of an answer, its encoding where the server names one, and its address after redirects.
    package typealias Page = (body: [UInt8], charset: String?, address: URL)

    /// More than the process writes.
    package static let maximumBytes = ProductReader.maximumBytes + Fetch.maximumHead

    /// The descriptor of what the process writes; the reader closes it.
    package let answer: Int32
    private let url: URL
    private let input = Pipe()
    private let output = Pipe()
    private let process = Process()

    private var name: String { SourceLocation.web(url).name }

    /// Fetches an address for another process and ends, where the arguments of this process ask for it; else does
    /// nothing.
    package static func runIfAsked(_ arguments: [String]) { Fetch.runIfAsked(arguments) }

    /// Starts the process.
    ///
    /// - Parameter program: The path of this program.
    /// - Throws: `PageError.failed` where it cannot be started.
    package init(_ url: URL, program: String) throws(PageError) {
        self.url = url
        process.executableURL = URL(filePath: program)
        process.arguments = [Fetch.argument, url.absoluteString]
        process.standardInput = input
        process.standardOutput = output
        // How it stopped is of no use to a user.
        process.standardError = FileHandle.nullDevice
        answer = dup(output.fileHandleForReading.fileDescriptor)
        do { try process.run() } catch {
            close(answer)
            throw .failed("\(name): cannot start \(program): \(error.localizedDescription)")
        }
        try? output.fileHandleForWriting.close()
    }

    /// Ends the process and with it the connection.
    package func end() {
        process.terminate()
        try? output.fileHandleForReading.close()
        try? input.fileHandleForWriting.close()
    }

    /// - Parameter bytes: All that the process has written: a line about the answer, then its body.
    /// - Throws: `PageError` with the reason why there is no page.
    package func page(_ bytes: [UInt8]) throws(PageError) -> Page {
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
