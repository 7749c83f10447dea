/// How much a cache keeps.
public struct CacheOptions: Sendable, Hashable {
    /// The number of values; nil for any.
    public var maximumCount: Int?
    /// The sum of the sizes of the values; nil for any.
    public var maximumSize: Int?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - maximumCount: The number of values; nil for any.
    ///   - maximumSize: The sum of the sizes of the values; nil for any. See ``CacheSizeRepresentable``.
    public init(maximumCount: Int? = nil, maximumSize: Int? = nil) {
        (self.maximumCount, self.maximumSize) = (maximumCount, maximumSize)
    }

    /// No limit.
    public static var none: CacheOptions { CacheOptions() }
    /// A limit of the number of values.
    public static func count(_ maximum: Int) -> CacheOptions { CacheOptions(maximumCount: maximum) }
    /// A limit of the sum of their sizes.
    public static func size(_ maximum: Int) -> CacheOptions { CacheOptions(maximumSize: maximum) }
}

/// How long a cache keeps a value, compared to others.
public enum CachePriority: Int, Sendable, Hashable, Comparable {
    /// Dropped first, and at a memory warning.
    case low
    /// The usual.
    case medium
    /// Dropped when nothing else is left.
    case high
    /// Kept until it is cleared, even if the cache is then larger than its limits.
    case discardNever

    /// Whether a value of the left priority is dropped before one of the right.
    public static func < (left: CachePriority, right: CachePriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// A value that knows how much room it takes in a cache. `Data`, strings and collections count with their contents;
/// others as the bytes of their type itself, without what they refer to.
public protocol CacheSizeRepresentable {
    /// The size, in the unit of the cache's limit: bytes, if the cache contains values that do not know their size.
    var cacheSize: Int { get }
}
