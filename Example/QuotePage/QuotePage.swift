import Foundation
import PromisedSources

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `quote-page` shows quotes; `quote-page URL` gets each from a server: `{"quote": "…", "author": "…"}`.
@main
enum QuotePage {
    static func main() async throws {
        let source: Source<QuoteModel>
        let scheduler = QueueScheduler.serial("quotes")
        if let address = CommandLine.arguments.dropFirst().first {
            guard let url = URL(string: address), let scheme = url.scheme, ["http", "https"].contains(scheme)
            else {
                FileHandle.standardError.write(Data("\(address) is not the address of a web page.\n".utf8))
                exit(2)
            }
            let request = URLRequest(url: url)
            source =
                scheme == "http"
                ? .quotes(from: request, by: SocketLoader(), on: scheduler)
                : .quotes(from: request, by: URLSessionLoader(), on: scheduler)
        } else {
            let nowhere = URLRequest(url: URL(filePath: "/"))
            source = .quotes(from: nowhere, by: BundledQuotes(), on: scheduler)
        }
        let screen = QuoteScreen(source: source) { print($0) }
        // Keeps the request in flight while the user thinks.
        let token = source.subscribe { _ in }
        await screen.drawWhenLoaded()
        while let line = readLine() { guard await screen.receive(line) else { break } }
        token.cancel()
    }
}
