import Foundation
import PromisedSystem

/// Keeps a cart in a file between runs, for any number of programs at once.
///
/// A file of a newer version is never touched: to read or to change it fails. A damaged one is set aside under
/// another name when it is first read, and the user, who is notified, goes on with an empty cart.
struct CartFile: CartStorage {
    /// Far beyond what a cart comes to.
    static let maximumBytes = 16 * 1024 * 1024

    let path: String
    /// Where the file is read and written: that may take a while, as when another program has the lock.
    var disk: any SerialScheduler = .serial("product-page.disk")
    /// Called with one line that the user should know though nothing has failed.
    var notice: @Sendable (String) -> Void = { _ in }
    /// Tests make a step of saving fail here.
    var beforeStep: @Sendable (AtomicFile.Step) throws(AtomicFile.Failure) -> Void = { _ in }

    func cart() -> Promise<Cart> { Promise(blockingOn: disk) { _ in try load() } }

    func change(_ change: Cart.Change) -> Promise<(cart: Cart, isChanged: Bool)> {
        Promise(blockingOn: disk) { isCancelled in
            try self.change(unless: isCancelled) { cart throws(PageError) in try cart.apply(change) }
        }
    }

    /// The cart in the file; an empty one if there is no file yet.
    ///
    /// It needs no lock and so never waits, as a file that is replaced as a whole is never half a cart.
    ///
    /// - Throws: `PageError.cart` with the reason; the file stays as it is.
    func load() throws(PageError) -> Cart {
        if let cart = try read() { return cart }
        // Another program may have put it right in the meantime, so it is read again under the lock.
        let (file, lock) = try open()
        defer { lock.release() }
        return try intact(file)
    }

    /// Reads, changes and saves the cart under the lock: of what two programs do at once nothing is lost.
    ///
    /// - Parameter isCancelled: Asked as long as there is nothing to undo; what is cancelled fails.
    /// - Throws: what `change` throws, or `PageError.cart`; the file is then as it was.
    func change<Result>(
        unless isCancelled: () -> Bool = { false }, _ change: (inout Cart) throws(PageError) -> Result
    ) throws(PageError) -> (cart: Cart, isChanged: Result) {
        let (file, lock) = try open(unless: isCancelled)
        defer { lock.release() }
        let old = try intact(file)
        var cart = old
        let result = try change(&cart)
        if cart != old { try replace(file, with: cart, unless: isCancelled) }
        return (cart, result)
    }

    /// The cart; nil if the file is damaged.
    private func read() throws(PageError) -> Cart? {
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

    /// The cart in the file, which is set aside if it is damaged.
    private func intact(_ file: AtomicFile) throws(PageError) -> Cart {
        if let cart = try read() { return cart }
        do {
            let name = try file.setAside()
            // If the path is a link it would lead nowhere now, and that is not taken for an empty cart.
            if file.path != path { try file.replace(with: Array(try Cart().json)) }
            notice("\(failure("was damaged; it is kept as \(name), and the cart is empty now"))")
            return Cart()
        } catch {
            throw failure("is damaged and cannot be set aside: \(AtomicFile.Failure(error).reason)")
        }
    }

    private func replace(
        _ file: AtomicFile, with cart: Cart, unless isCancelled: () -> Bool
    ) throws(PageError) {
        do {
            let json = try cart.json
            // Names and ids are foreign text of any length, and what is saved must be read again.
            guard json.count <= Self.maximumBytes else {
                throw AtomicFile.Failure(reason: "it is full; remove a product first")
            }
            try file.replace(with: Array(json), unless: isCancelled)
        } catch {
            throw failure("cannot be saved: \(AtomicFile.Failure(error).reason)")
        }
    }

    /// The file, locked.
    private func open(unless isCancelled: () -> Bool = { false }) throws(PageError) -> (
        AtomicFile, FolderLock
    ) {
        let file = AtomicFile(path: path, beforeStep: beforeStep)
        do {
            return (file, try file.lock(unless: isCancelled))
        } catch {
            throw failure("cannot be saved: \(error.reason)")
        }
    }

    private func failure(_ reason: String) -> PageError { .cart(path: path, reason: reason) }
}

extension CartFile {
    /// `product-page/cart.json` where programs keep their own files: `$XDG_STATE_HOME`, else `~/.local/state`, and
    /// Application Support on Apple's systems.
    static func defaultPath(
        environment: [String: String] = ProcessInfo.processInfo.environment, home: String = NSHomeDirectory()
    ) -> String {
        let name = "/product-page/cart.json"
        // The specification says to ignore a relative path.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + name }
        // Foundation gives the user's entry in the system's list, whatever the shell says.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        #if canImport(Darwin)
            return home + "/Library/Application Support" + name
        #else
            return home + "/.local/state" + name
        #endif
    }
}
