/// One page, as a server answers it.
public struct Page<Item: Sendable, Cursor: Hashable & Sendable>: Sendable {
    /// The content of the page.
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
extension Page: Codable where Item: Codable, Cursor: Codable {}

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
    /// The state of the page after the last one.
    public internal(set) var next = PageEdge<Cursor>()
    /// The state of the page before the first one.
    public internal(set) var previous = PageEdge<Cursor>()

    /// The cursors of pages that went because there were too many, in order: a server need not say where they are.
    var before: [Cursor] = []
    private var after: [Cursor] = []

    /// Creates it without pages.
    public init() {}

    /// The items of all pages, in order.
    public var items: [Item] { pages.flatMap { $0.items } }

    /// Adds a page after the last one. A page that it has already is not added again.
    public mutating func append(_ page: Page<Item, Cursor>, at cursor: Cursor) {
        guard !cursors.contains(cursor) else { return }
        after = after.first == cursor ? Array(after.dropFirst()) : []
        cursors.append(cursor)
        pages.append(page)
        next = PageEdge()
        updateCursors()
    }

    /// Adds a page before the first one. A page that it has already is not added again.
    public mutating func prepend(_ page: Page<Item, Cursor>, at cursor: Cursor) {
        guard !cursors.contains(cursor) else { return }
        before = before.last == cursor ? before.dropLast() : []
        cursors.insert(cursor, at: 0)
        pages.insert(page, at: 0)
        previous = PageEdge()
        updateCursors()
    }

    /// Keeps so many pages at most: those on one side go, and can be fetched again from there.
    ///
    /// - Parameters:
    ///   - count: The number of pages; nil for all.
    ///   - last: Whether the last pages stay, or else the first ones.
    public mutating func keep(_ count: Int?, last: Bool) {
        guard let count, cursors.count > max(count, 1) else { return }
        let excess = cursors.count - max(count, 1)
        if last {
            before += cursors.prefix(excess)
            cursors.removeFirst(excess)
            pages.removeFirst(excess)
            previous = PageEdge()
        } else {
            after = cursors.suffix(excess) + after
            cursors.removeLast(excess)
            pages.removeLast(excess)
            next = PageEdge()
        }
        updateCursors()
    }

    /// Adds an item to the page of the one that is at this place in ``items``, before it; after the last one at their
    /// number. A no-op if there is no page.
    public mutating func insert(_ item: Item, at index: Int) {
        guard let place = place(index) else { return }
        pages[place.page].items.insert(item, at: place.index)
    }

    /// Removes the items that satisfy a condition, from all pages.
    ///
    /// - Parameter isRemoved: Called once for each item, in order, before this returns.
    public mutating func removeItems(where isRemoved: (Item) throws -> Bool) rethrows {
        for page in pages.indices { try pages[page].items.removeAll(where: isRemoved) }
    }

    /// Moves an item to another place in ``items``, which is counted without it. A no-op if there is none.
    public mutating func moveItem(from index: Int, to newIndex: Int) {
        guard let place = place(index), pages[place.page].items.indices.contains(place.index) else { return }
        insert(pages[place.page].items.remove(at: place.index), at: newIndex)
    }

    /// The page of an item, and its place there; that behind the last item for all further ones.
    private func place(_ index: Int) -> (page: Int, index: Int)? {
        var index = max(index, 0)
        for (number, page) in pages.enumerated() {
            if index < page.items.count { return (number, index) }
            index -= page.items.count
        }
        return pages.indices.last.map { ($0, pages[$0].items.count) }
    }

    /// Changes the items of all pages, in order.
    ///
    /// - Parameter change: Called once for each item, before this returns.
    public mutating func updateItems(_ change: (inout Item) -> Void) {
        for page in pages.indices {
            for item in pages[page].items.indices { change(&pages[page].items[item]) }
        }
    }

    private mutating func updateCursors() {
        next.cursor = unknown(pages.last?.next ?? after.first)
        previous.cursor = unknown(pages.first?.previous ?? before.last)
    }

    /// A server may refer to a page that it has given before: then there is no further one.
    private func unknown(_ cursor: Cursor?) -> Cursor? {
        cursor.flatMap { cursors.contains($0) ? nil : $0 }
    }
}

extension Pages: Equatable where Item: Equatable {}
extension Pages: Hashable where Item: Hashable {}

extension Pages: Codable where Item: Codable, Cursor: Codable {
    private enum CodingKeys: CodingKey { case cursors, pages, before, after }

    /// Decodes the pages; the state of those around them follows from that.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let cursors = try container.decode([Cursor].self, forKey: .cursors)
        self.init()
        for (cursor, page) in zip(cursors, try container.decode([Page<Item, Cursor>].self, forKey: .pages)) {
            append(page, at: cursor)
        }
        before = try container.decodeIfPresent([Cursor].self, forKey: .before) ?? []
        after = try container.decodeIfPresent([Cursor].self, forKey: .after) ?? []
        updateCursors()
    }

    /// Encodes the pages and their cursors.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(cursors, forKey: .cursors)
        try container.encode(pages, forKey: .pages)
        try container.encode(before, forKey: .before)
        try container.encode(after, forKey: .after)
    }
}

/// The state of the page after the last one, or before the first one.
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
