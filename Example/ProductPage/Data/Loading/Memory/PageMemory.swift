import Foundation

/// Remembers pages between runs, in a folder that may be emptied at any time.
///
/// It is a help and never a source of trouble: whatever cannot be read counts as not there, whatever cannot
/// be written is not remembered, and neither is worth a word.
struct PageMemory: Sendable {
    struct Bounds: Sendable {
        var bytesOfAPage = 4 * 1024 * 1024
        var bytes = 32 * 1024 * 1024
        var count = 100
    }

    /// Remembers nothing.
    static let none = PageMemory(folder: nil)

    let folder: String?
    var bounds = Bounds()

    init(folder: String?, bounds: Bounds = Bounds()) {
        self.folder = folder
        self.bounds = bounds
    }

    /// What is remembered of exactly this address.
    func page(at url: URL) -> WebPage? {
        guard case .page(let page)? = entry(at: url) else { return nil }
        return page
    }

    /// The same, also where the address has moved for good since it was typed first.
    func page(leadingFrom url: URL) -> WebPage? {
        switch entry(at: url) {
        case .page(let page): page
        case .moved(_, let target): URL(string: target).flatMap(page(at:))
        case nil: nil
        }
    }

    func remember(_ page: WebPage) {
        var page = page
        guard let key = URL(string: page.url).flatMap({ MemoryKey($0) }) else { return }
        page.url = key.text
        keep(.page(page))
    }

    /// - Parameter page: What `url` leads to by redirects that are meant to last.
    func remember(moveOf url: URL, to page: WebPage) {
        guard let key = MemoryKey(url), key.text != page.url else { return }
        let entry = MemoryEntry.moved(from: key.text, to: page.url)
        if self.entry(at: url) != entry { keep(entry) }
    }

    func forget(_ page: WebPage) {
        if let path = path(page.url) { unlink(path) }
    }

    /// Makes it the one used last.
    func touch(_ page: WebPage) {
        if let path = path(page.url) { utimes(path, nil) }
    }
}

extension PageMemory {
    private func path(_ url: String) -> String? {
        guard let folder, let key = URL(string: url).flatMap({ MemoryKey($0) }) else { return nil }
        return "\(folder)/\(key.fileName)"
    }

    private func entry(at url: URL) -> MemoryEntry? {
        // The largest that is written, with its head.
        let limit = bounds.bytesOfAPage + 64 * 1024
        guard let folder, let key = MemoryKey(url),
            let bytes = try? FileReading.bytes(ofRegularFile: "\(folder)/\(key.fileName)", limit: limit),
            let entry = MemoryEntry(encoded: bytes),
            // Two addresses may have the same name, and must not be taken for each other.
            entry.url == key.text
        else { return nil }
        return entry
    }

    private func keep(_ entry: MemoryEntry) {
        guard let folder, let path = path(entry.url), entry.size <= bounds.bytesOfAPage else { return }
        guard (try? AtomicFile(path: path).replace(with: entry.encoded)) != nil else { return }
        MemoryFolder(path: folder).prune(to: bounds)
    }
}

extension PageMemory {
    /// `product-page` in the place for what programs can do without: `$XDG_CACHE_HOME`, else `~/.cache`, and
    /// Caches on Apple's systems.
    static func defaultFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: String = NSHomeDirectory()
    ) -> String {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        // The specification says to ignore a relative path.
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/product-page" }
        #if canImport(Darwin)
            return home + "/Library/Caches/product-page"
        #else
            return home + "/.cache/product-page"
        #endif
    }
}
