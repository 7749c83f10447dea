import Foundation
import ProductReading
import PromisedSystem
import ToolSupport

/// Keeps a cart in a file between runs, for any number of programs at once.
///
/// A file of a newer version is never touched: to read or to change it fails. A damaged one is set aside under
/// another name when it is first read, and the user, who is notified, continues with an empty cart.
struct CartFile: CartStorage {
    /// Far beyond what a cart comes to.
    static let maximumBytes = 16 * 1024 * 1024

    let path: String
    /// Where the file is read and written: that may take a while, as when another program has the lock.
    var disk: any SerialScheduler = .serial("product-page.disk")
    /// How long a change waits for another program.
    var patience = AtomicFile.patience
    /// Called with one line that the user should know though nothing has failed.
    var notice: @Sendable (String) -> Void = { _ in }

    func cart() -> Promise<Cart> { Promise(on: disk) { try load(unless: $0) } }

    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        Promise(on: disk) { isCancelled in
            try self.change(unless: isCancelled) { try $0.apply(change) }
        }
    }

    /// The cart in the file; an empty one if there is no file yet.
    ///
    /// It needs no lock and so never waits, as a file that is replaced as a whole is never half a cart. A damaged
    /// one is read again under the lock: another program may have put it right in the meantime.
    ///
    /// - Throws: `PageError.cart` with the reason; the file stays as it is.
    func load(unless isCancelled: () -> Bool = { false }) throws -> Cart {
        try read() ?? change(unless: isCancelled) { _ in }.cart
    }

    /// Reads, changes and saves the cart under the lock: of what two programs do at once nothing is lost.
    ///
    /// - Parameter isCancelled: Asked while it waits for the lock, and as long as there is nothing to undo; a
    ///   cancelled change fails.
    /// - Throws: The error of `change`, or `PageError.cart`; the file is then as it was.
    func change<Result>(
        unless isCancelled: () -> Bool = { false }, _ change: (inout Cart) throws -> Result
    ) throws -> (cart: Cart, isChanged: Result) {
        let file = AtomicFile(path: path, patience: patience)
        return try explained("cannot be saved") {
            try file.locked(unless: isCancelled) {
                let old = try read() ?? setAside(file)
                var cart = old
                let result = try change(&cart)
                guard cart != old else { return (cart, result) }
                let json = try cart.json
                // Names and ids are foreign text of any length, and the saved file must be readable again.
                guard json.count <= Self.maximumBytes else {
                    throw AtomicFile.Failure(reason: "it is full; remove a product first")
                }
                try file.replace(with: json, unless: isCancelled)
                return (cart, result)
            }
        }
    }

    /// The cart; nil if the file is damaged.
    private func read() throws -> Cart? {
        let bytes: [UInt8]
        do {
            bytes = try FileReading.bytes(ofRegularFile: path, limit: Self.maximumBytes)
        } catch {
            if SystemReason.isMissing(path) { return Cart() }
            throw failure("cannot be read: \(error.reason)")
        }
        do {
            return try Cart(json: Data(bytes))
        } catch {
            guard case .newer(let version) = error else { return nil }
            throw failure(
                "was written by a newer version (format \(version), this program knows \(Cart.version)); "
                    + "update the program or use another --cart")
        }
    }

    /// An empty cart in the place of a damaged one.
    private func setAside(_ file: AtomicFile) throws -> Cart {
        try explained("is damaged and cannot be set aside") {
            let name = try file.setAside()
            // If the path is a link it would lead nowhere now, and that is not taken for an empty cart.
            if !SystemReason.isMissing(path) { try file.replace(with: try Cart().json) }
            notice("\(failure("was damaged; it is kept as \(name), and the cart is empty now"))")
            return Cart()
        }
    }

    private func explained<Result>(_ what: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as AtomicFile.Failure {
            throw failure("\(what): \(error.reason)")
        }
    }

    private func failure(_ reason: String) -> PageError { .cart(path: path, reason: reason) }
}
