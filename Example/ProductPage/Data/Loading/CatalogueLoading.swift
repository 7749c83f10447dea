import Foundation

/// The products of a source: as they are now, and as they were.
struct CatalogueLoading: Sendable {
    var source: SourceLocation
    var loader: SourceLoader

    /// Loads them, and remembers the page they were on where the server allows that.
    ///
    /// - Throws: `PageError` with a reason in words, or `CancellationError` when the task was cancelled, in
    ///   which case connections and files are closed.
    func fresh() async throws -> Catalogue {
        switch source {
        case .file(let path): try ProductReader.read(try await loader.file(path), from: source.name)
        case .web(let url): try await fresh(url)
        }
    }

    /// What an earlier run has left of them. A file is as quickly read as a memory of it.
    func remembered() -> Catalogue? {
        guard case .web(let url) = source, let page = loader.memory.page(leadingFrom: url) else { return nil }
        return try? read(page)
    }

    private func fresh(_ url: URL) async throws -> Catalogue {
        switch try await loader.web(url, loader.memory.page(at:)) {
        case .fresh(let page, let keeping): return try take(page, keeping, from: url)
        case .unchanged(let page):
            if let catalogue = try? read(page) {
                loader.memory.touch(page)
                return catalogue
            }
            // Another version of this program may have understood it; this one needs it whole.
            loader.memory.forget(page)
            guard case .fresh(let page, let keeping) = try await loader.web(url, { _ in nil }) else {
                throw PageError.unavailable(source: source.name, reason: "answered 304 Not Modified")
            }
            return try take(page, keeping, from: url)
        }
    }

    /// Only what has a product in it is worth remembering: a page that says "come back later" must not take
    /// the place of one that had.
    private func take(_ page: WebPage, _ keeping: WebAnswer.Keeping, from url: URL) throws -> Catalogue {
        if !keeping.isAllowed { loader.memory.forget(page) }
        let catalogue = try read(page)
        if keeping.isAllowed {
            loader.memory.remember(page)
            if keeping.isPermanentAddress { loader.memory.remember(moveOf: url, to: page) }
        }
        return catalogue
    }

    private func read(_ page: WebPage) throws -> Catalogue {
        try ProductReader.read(page.body, charset: page.charset, from: source.name)
    }
}
