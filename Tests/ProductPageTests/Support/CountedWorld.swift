import Foundation
import PromisedSystem
import Synchronization

@testable import ProductPage

/// The real effects, with a loader that counts.
struct CountedWorld {
    /// The bundled catalogue, a file and an address.
    static let sources: [SourceLocation?] = [
        nil, .file(path: "shop.json"), URL(string: "http://127.0.0.1:1/shop.json").map { .web($0) },
    ]

    private final class Counter: Sendable {
        let loads = Mutex<[String]>([])
    }

    let effects: Effects
    private let counter = Counter()

    init(source: SourceLocation?, cart: String) {
        let counter = counter
        let page = Array(
            #"[{"@type":"Product","sku":"A","name":"Apple"},{"@type":"Product","sku":"B","name":"Bread"}]"#
                .utf8)
        let loader = SourceLoader(
            file: { path in
                counter.loads.withLock { $0.append(path) }
                return page
            },
            web: { url, _ in
                counter.loads.withLock { $0.append(url.absoluteString) }
                let answer = WebPage(url: url.absoluteString, body: page)
                return .fresh(answer, .init(isAllowed: true, isPermanentAddress: true))
            }, memory: .none)
        var options = Options(source: source, latency: .seconds(1))
        options.cart = cart
        // Right there: virtual time does not wait for another queue.
        effects = .live(options, loader: loader, disk: .immediate)
    }

    /// The files and addresses that were asked for.
    var loads: [String] { counter.loads.withLock { $0 } }
}
