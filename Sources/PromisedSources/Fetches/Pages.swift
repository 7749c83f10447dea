/// One page, as a server answers it.
public struct Page<Item: Sendable, Cursor: Hashable & Sendable>: Sendable {
    /// What is on the page.
    public var items: [Item]
    /// Where the next page is; nil if this is the last one.
    public var next: Cursor?
    /// Where the previous page is; nil if this is the first one.
    public var previous: Cursor?

    /// Creates a page.
    public init(_ items: [Item], next: Cursor? = nil, previous: Cursor? = nil) {
        (self.items, self.next, self.previous) = (items, next, previous)
    }
}

extension Page: Equatable where Item: Equatable {}
extension Page: Hashable where Item: Hashable {}

/// The pages that were fetched, in order and each once.
///
/// ```swift
/// import PromisedSources
///
/// var pages = Pages<String, Int>()
/// pages.append(Page(["a", "b"], next: 2), at: 1)
/// pages.append(Page(["c"]), at: 2)
/// print(pages.items, pages.next.hasMore)
/// ```
public struct Pages<Item: Sendable, Cursor: Hashable & Sendable>: Sendable {
    /// The cursors of the pages, in order.
    public private(set) var cursors: [Cursor] = []
    /// The pages, in order.
    public private(set) var pages: [Page<Item, Cursor>] = []
    /// What is known of the page after the last one.
    public internal(set) var next = PageEdge<Cursor>()
    /// What is known of the page before the first one.
    public internal(set) var previous = PageEdge<Cursor>()

    /// Creates it without pages.
    public init() {}

    /// The items of all pages, in order.
    public var items: [Item] { pages.flatMap(\.items) }

    /// Adds a page after the last one. A page that it has already is not added again.
    public mutating func append(_ page: Page<Item, Cursor>, at cursor: Cursor) {
        guard !cursors.contains(cursor) else { return }
        cursors.append(cursor)
        pages.append(page)
        next = PageEdge()
        updateCursors()
    }

    /// Adds a page before the first one. A page that it has already is not added again.
    public mutating func prepend(_ page: Page<Item, Cursor>, at cursor: Cursor) {
        guard !cursors.contains(cursor) else { return }
        cursors.insert(cursor, at: 0)
        pages.insert(page, at: 0)
        previous = PageEdge()
        updateCursors()
    }

    /// Changes the items of all pages, in order.
    public mutating func updateItems(_ change: (inout Item) -> Void) {
        for page in pages.indices {
            for item in pages[page].items.indices { change(&pages[page].items[item]) }
        }
    }

    private mutating func updateCursors() {
        next.cursor = unknown(pages.last?.next)
        previous.cursor = unknown(pages.first?.previous)
    }

    /// A server may refer to a page that it has given before: then there is no further one.
    private func unknown(_ cursor: Cursor?) -> Cursor? {
        cursor.flatMap { cursors.contains($0) ? nil : $0 }
    }
}

extension Pages: Equatable where Item: Equatable {}
extension Pages: Hashable where Item: Hashable {}

/// What is known of the page after the last one, or before the first one.
public struct PageEdge<Cursor: Hashable & Sendable>: Sendable, Hashable {
    /// Where the page is; nil if there is none.
    public var cursor: Cursor?
    /// Whether it is being fetched.
    public var isFetching = false
    /// Why it could not be fetched; nil if it was not tried, or is tried again.
    public var failure: FetchFailure?

    /// Creates it.
    public init(cursor: Cursor? = nil) { self.cursor = cursor }

    /// Whether there is a page.
    public var hasMore: Bool { cursor != nil }
}
