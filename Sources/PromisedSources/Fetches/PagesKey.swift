public import Promise

/// A key whose value comes in pages, each of which says where its neighbours are.
///
/// ```swift
/// import PromisedSources
///
/// struct NumbersKey: PagesKey {
///     let first = 0
///     func fetchPage(at cursor: Int, from count: Int) -> Promise<Page<Int, Int>> {
///         .value(Page([cursor], next: cursor + 1 < count ? cursor + 1 : nil))
///     }
/// }
///
/// let fetches = Fetches(from: 3, on: .immediate)
/// let token = fetches.source(NumbersKey()).subscribe { print($0.fetched?.items ?? []) }
/// fetches.fetchNextPage(of: NumbersKey())
/// token.cancel()
/// ```
///
/// At first, one page is fetched. A refresh fetches as many pages as there are, from the first one on and each where
/// the page before it says, so that the list has no gaps; the old pages are shown until all were fetched.
public protocol PagesKey: FetchKey where Value == Pages<Item, Cursor> {
    // Declared here too, so that both are inferred from the methods of this protocol.

    /// The client of the pages.
    associatedtype Client
    /// The pages.
    associatedtype Value = Pages<Item, Cursor>
    /// The items of the pages.
    associatedtype Item: Sendable
    /// Where a page is.
    associatedtype Cursor: Hashable & Sendable

    /// Where the page is that is fetched first.
    var first: Cursor { get }

    /// How many pages are kept at most: if there is one more, that on the other side goes. Nil, the default, for all.
    var maxPages: Int? { get }

    /// Describes the request for one page.
    func fetchPage(at cursor: Cursor, from client: Client) -> Promise<Page<Item, Cursor>>
}

extension PagesKey {
    /// Fetches the first page.
    public func fetch(from client: Client) -> Promise<Pages<Item, Cursor>> { refresh(nil, from: client) }

    /// All pages are kept.
    public var maxPages: Int? { nil }

    /// Fetches as many pages as there are, one after the other.
    public func refresh(_ value: Pages<Item, Cursor>?, from client: Client) -> Promise<Pages<Item, Cursor>> {
        var pages = Value()
        pages.before = value?.before ?? []
        return fetch(value?.cursors.first ?? first, client, into: pages, value?.cursors ?? [])
    }

    /// - Parameter known: Where the pages were.
    private func fetch(
        _ cursor: Cursor, _ client: Client, into pages: Pages<Item, Cursor>, _ known: [Cursor]
    ) -> Promise<Pages<Item, Cursor>> {
        fetchPage(at: cursor, from: client).flatMap { page in
            var pages = pages
            pages.append(page, at: cursor)
            // A page without items may have no neighbour yet, like a page of newer items.
            let next = pages.next.cursor ?? (page.items.isEmpty ? known.follower(of: cursor) : nil)
            guard pages.cursors.count < known.count, let next else { return .value(pages) }
            return fetch(next, client, into: pages, known)
        }
    }
}

extension Array where Element: Equatable {
    fileprivate func follower(of element: Element) -> Element? {
        firstIndex(of: element).flatMap { dropFirst($0 + 1).first }
    }
}

extension Fetches {
    /// Fetches the page after the last one. A no-op if there is none, if no page was fetched yet, if it is being
    /// fetched, or if the key is not observed. If it fails, the others stay and this can be called again.
    public func fetchNextPage<Key: PagesKey>(of key: Key) where Key.Client == Client {
        fetchPage(of: key, \.next, part: "next") {
            $0.append($1, at: $2)
            $0.keep(key.maxPages, last: true)
        }
    }

    /// Fetches the page before the first one. A no-op if there is none, if no page was fetched yet, if it is being
    /// fetched, or if the key is not observed. If it fails, the others stay and this can be called again.
    public func fetchPreviousPage<Key: PagesKey>(of key: Key) where Key.Client == Client {
        fetchPage(of: key, \.previous, part: "previous") {
            $0.prepend($1, at: $2)
            $0.keep(key.maxPages, last: false)
        }
    }

    /// Fetches a page as a change of the value: it waits for a refresh, and a refresh waits for it.
    private func fetchPage<Key: PagesKey>(
        of key: Key, _ edge: any WritableKeyPath<Key.Value, PageEdge<Key.Cursor>> & Sendable, part: String,
        add: @escaping @Sendable (inout Key.Value, Page<Key.Item, Key.Cursor>, Key.Cursor) -> Void
    ) where Key.Client == Client {
        let (client, scheduler, gate) = (client, scheduler, gate)
        let entry = entry(key)
        guard entry.model.fetched?.value[keyPath: edge].hasMore ?? false else { return }
        entry.change(
            FetchChange(
                part: part, origin: Origin(#fileID, #line),
                guess: { pages in
                    guard pages[keyPath: edge].hasMore else { return }
                    pages[keyPath: edge].isFetching = true
                    pages[keyPath: edge].failure = nil
                },
                // The edge may have changed since the call, and change until the answer.
                send: { pages in
                    guard let cursor = pages?[keyPath: edge].cursor else {
                        return .value(FetchUpdate(by: { _ in }))
                    }
                    return key.limited(key.fetchPage(at: cursor, from: client), on: scheduler, gate)
                        .map { page in
                            FetchUpdate(ofPresent: { pages in
                                if pages[keyPath: edge].cursor == cursor { add(&pages, page, cursor) }
                            })
                        }
                        .mapErrorRecover { error in
                            FetchUpdate(ofPresent: { pages in
                                guard pages[keyPath: edge].cursor == cursor else { return }
                                let failure = FetchFailure(error).after(pages[keyPath: edge].failure)
                                pages[keyPath: edge].failure = failure
                            })
                        }
                }))
    }
}
