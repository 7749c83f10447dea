import Foundation

/// Keeps a cart in a file between runs, for any number of programs at once.
///
/// A file from a newer version is never touched: reading it fails, and so does saving in its place. A damaged
/// one is set aside under another name when it is first read, once and with a word to the user, who goes on
/// with an empty cart.
struct CartStore: Sendable {
    /// Far beyond what a full cart comes to.
    static let maximumBytes = 16 * 1024 * 1024

    let path: String
    /// Told what the user should know though nothing has failed: one line.
    var notice: @Sendable (String) -> Void = { _ in }
    /// Tests make a step of saving fail here.
    var beforeStep: @Sendable (AtomicFile.Step) throws(AtomicFile.Failure) -> Void = { _ in }

    init(path: String, notice: @escaping @Sendable (String) -> Void = { _ in }) {
        self.path = path
        self.notice = notice
    }

    /// The cart in the file; an empty one where there is no file yet.
    ///
    /// Needs no lock and so never waits, as a file that is replaced as a whole is never half a cart.
    ///
    /// - Throws: `PageError.cart` with the reason; the file stays as it is.
    func load() throws(PageError) -> Cart {
        if case .cart(let cart) = try read() { return cart }
        // Somebody else may have put it right in the meantime, so it is read again under the lock.
        let (file, lock) = try open()
        defer { lock.release() }
        return try intact(file)
    }

    /// Reads, changes and saves the cart, with nobody else in between: of what two programs do at once
    /// nothing is lost.
    ///
    /// - Parameter isCancelled: Asked as long as there is nothing to undo; what is cancelled fails.
    /// - Throws: what `change` throws, or `PageError.cart`; the file is then as it was, and nothing else is
    ///   left in its folder.
    func change(
        unless isCancelled: () -> Bool = { false }, _ change: (inout Cart) throws(PageError) -> Void
    ) throws(PageError) -> Cart {
        let (file, lock) = try open(unless: isCancelled)
        defer { lock.release() }
        let old = try intact(file)
        var cart = old
        try change(&cart)
        if cart != old { try replace(file, with: cart, unless: isCancelled) }
        return cart
    }

    /// Writes this cart, all of it or nothing, in the place of the one before.
    func save(_ cart: Cart) throws(PageError) {
        let (file, lock) = try open()
        defer { lock.release() }
        _ = try intact(file)
        try replace(file, with: cart)
    }
}

extension CartStore {
    private enum Content {
        case cart(Cart)
        case damaged
    }

    private func read() throws(PageError) -> Content {
        let bytes: [UInt8]
        do {
            bytes = try FileReading.bytes(ofRegularFile: path, limit: Self.maximumBytes)
        } catch {
            if SystemReason.isMissing(path) { return .cart(Cart()) }
            guard case .noInput(_, let reason) = error else { throw error }
            throw failure("cannot be read: \(reason)")
        }
        do {
            return .cart(try CartFormat.cart(from: bytes))
        } catch {
            switch error {
            case .damaged: return .damaged
            case .newer(let version):
                throw failure(
                    "was written by a newer version (format \(version), this program knows "
                        + "\(CartFormat.version)); update the program or use another --cart")
            }
        }
    }

    /// The cart in the file, which is set aside where it is damaged.
    private func intact(_ file: AtomicFile) throws(PageError) -> Cart {
        if case .cart(let cart) = try read() { return cart }
        do {
            let name = try file.setAside()
            // Where the path is a link it would lead nowhere now, and that is not taken for an empty cart.
            if file.path != path { try file.replace(with: CartFormat.bytes(of: Cart())) }
            notice("\(failure("was damaged; it is kept as \(name), and the cart is empty now"))")
            return Cart()
        } catch {
            throw failure("is damaged and cannot be set aside: \(error.reason)")
        }
    }

    private func replace(
        _ file: AtomicFile, with cart: Cart, unless isCancelled: () -> Bool = { false }
    ) throws(PageError) {
        do {
            try file.replace(with: CartFormat.bytes(of: cart), unless: isCancelled)
        } catch {
            throw failure("cannot be saved: \(error.reason)")
        }
    }

    /// The file, with everybody else kept out until the lock is released.
    private func open(
        unless isCancelled: () -> Bool = { false }
    ) throws(PageError) -> (AtomicFile, FolderLock) {
        let file = AtomicFile(path: path, beforeStep: beforeStep)
        do {
            return (file, try file.lock(unless: isCancelled))
        } catch {
            throw failure("cannot be saved: \(error.reason)")
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
