import Foundation
import ProductReading
import PromisedSystem

/// The products of a page on the web, which a second process of this program fetches.
struct WebSource: CatalogueSource {
    let url: URL
    /// This program.
    var program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    /// The day of the prices.
    var today: @Sendable () -> Day = { Day() }

    private var name: String { SourceLocation.web(url).name }

    func catalogue() -> Promise<Catalogue> {
        Promise { try await page() }.map { page in
            try ProductReader.read(
                page.body, charset: page.charset, from: name, address: page.address, today: today())
        }
    }

    /// The page, redirects followed. Cancelling the task ends the other process and with it the connection.
    func page() async throws -> FetchProcess.Page {
        try Task.checkCancellation()
        let process = try FetchProcess(url, program: program)
        defer { process.end() }
        let answer = process.answer
        let bytes = FileSource.bytes(name: name, limit: FetchProcess.maximumBytes) { answer }
        return try process.page(await bytes.value)
    }
}
