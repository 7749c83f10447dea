import Promise
import PromisedSources
import PromisedSystem
import PromisedTesting
import TestSupport

/// A client of fetches whose requests are endpoints.
struct RateServer: Sendable {
    struct Closed: Error, Codable {}

    let rate = Endpoint<String, Int>("rate", failing: Closed.self) { name in
        name == "xau" ? Promise(error: Closed()) : .value(name.count).delay(.milliseconds(3))
    }
}

struct RateKey: FetchKey {
    let name: String

    var path: [String] { ["rates", name] }
    var options: FetchOptions { FetchOptions(network: .notNeeded) }
    func fetch(from server: RateServer) -> Promise<Int> { server.rate(name) }
}
