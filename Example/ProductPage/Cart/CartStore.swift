import Foundation

/// Keeps a cart in a file between runs.
///
/// A file that it does not understand, damaged or from a newer version, is never written over: reading it
/// fails, and so does saving in its place.
struct CartStore: Sendable {
    /// Counts up when an older program could no longer read the file.
    static let formatVersion = 1
    /// Far beyond what `save` writes for any cart a person fills.
    static let maximumBytes = 16 * 1024 * 1024

    let path: String
    /// Tests make a step of saving fail here.
    var beforeStep: @Sendable (AtomicFile.Step) throws(AtomicFile.Failure) -> Void = { _ in }

    init(path: String) { self.path = path }

    /// The cart in the file; an empty one where there is no file yet.
    ///
    /// - Throws: `PageError.cart` with the reason; the file stays as it is.
    func load() throws(PageError) -> Cart {
        let bytes: [UInt8]
        do {
            bytes = try FileReading.bytes(at: path, limit: Self.maximumBytes)
        } catch {
            if SystemReason.isMissing(path) { return Cart() }
            guard case .noInput(_, let reason) = error else { throw error }
            throw failure("cannot be read: \(reason)")
        }
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: Data(bytes)), header.version > 0 else {
            throw failure("is damaged; move it away to begin with an empty cart")
        }
        guard header.version <= Self.formatVersion else {
            throw failure(
                "was written by a newer version (format \(header.version), this program knows "
                    + "\(Self.formatVersion)); update the program or use another --cart")
        }
        guard let cart = try? decoder.decode(Cart.self, from: Data(bytes)) else {
            throw failure("is damaged; move it away to begin with an empty cart")
        }
        return cart
    }

    /// Writes the cart, all of it or nothing, and makes its folder where that is missing.
    ///
    /// - Throws: `PageError.cart`; the file is then as it was, and nothing else is left in its folder.
    func save(_ cart: Cart) throws(PageError) {
        _ = try load()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(Content(cart: cart)) + Data("\n".utf8)
            try AtomicFile(path: path, beforeStep: beforeStep).replace(with: Array(data))
        } catch let error as AtomicFile.Failure {
            throw failure("cannot be saved: \(error.reason)")
        } catch {
            throw failure("cannot be saved: \(error)")
        }
    }

    private func failure(_ reason: String) -> PageError { .cart(path: path, reason: reason) }
}

extension CartStore {
    /// `product-page/cart.json` in the place for what programs keep on their own: `$XDG_STATE_HOME`, else
    /// `~/.local/state`, and Application Support on Apple's systems.
    static func defaultPath(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: String = NSHomeDirectory()
    ) -> String {
        let name = "/product-page/cart.json"
        // What Foundation says is the user's entry in the system's list, whatever the shell says.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        // The specification says to ignore a relative path.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + name }
        #if canImport(Darwin)
            return home + "/Library/Application Support" + name
        #else
            return home + "/.local/state" + name
        #endif
    }
}

extension CartStore {
    /// Read first, so that a later format may change everything else.
    private struct Header: Decodable {
        var version: Int
    }

    private struct Content: Encodable {
        private enum Key: String, CodingKey {
            case version
        }

        var cart: Cart

        func encode(to encoder: any Encoder) throws {
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(formatVersion, forKey: .version)
            try cart.encode(to: encoder)
        }
    }
}
