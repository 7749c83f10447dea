/// A value that is kept in a storage: found or not found, with the possible actions.
///
/// ```swift
/// import PromisedSources
///
/// func show(_ token: Persistable<String>) -> String { token.found?.value ?? "signed out" }
/// print(show(.notFound(.init(set: .doNothing))))
/// ```
public enum Persistable<Value: Sendable>: Sendable {
    case found(Found)
    case notFound(NotFound)

    /// A value is stored.
    @dynamicMemberLookup
    public struct Found: Sendable {
        /// The value that is stored.
        public var value: Value
        /// Whether it has been stored for longer than it should be. It can still be used.
        public var isExpired: Bool
        /// Why the value could not be stored; nil if it was. It is shown all the same.
        public var error: (any Error)?
        /// Stores another value.
        public var set: Action<Value>
        /// Removes the value.
        public var clear: Action<Void>
        var revision = 0

        /// Creates the case with a value.
        public init(
            _ value: Value, isExpired: Bool = false, error: (any Error)? = nil, set: Action<Value>,
            clear: Action<Void>
        ) {
            (self.value, self.isExpired, self.error) = (value, isExpired, error)
            (self.set, self.clear) = (set, clear)
        }

        /// A part of the value.
        public subscript<Part>(dynamicMember part: KeyPath<Value, Part>) -> Part { value[keyPath: part] }
    }

    /// No value is stored, or it can't be read.
    public struct NotFound: Sendable {
        /// Why a value that is stored can't be read, or why one could not be removed or set; nil if there is none.
        public var error: (any Error)?
        /// Stores a value.
        public var set: Action<Value>
        var revision = 0
        /// Whether the storage may have had no room for it.
        var isDropped = false

        /// Creates the case without a value.
        public init(error: (any Error)? = nil, set: Action<Value>) { (self.error, self.set) = (error, set) }
    }

    /// The value and its actions; nil if there is none.
    public var found: Found? { if case .found(let found) = self { found } else { nil } }
    /// The actions without a value; nil if there is one.
    public var notFound: NotFound? { if case .notFound(let notFound) = self { notFound } else { nil } }

    /// Counts the changes of the value in a storage, so that two equal ones can be distinguished.
    var revision: Int {
        get {
            switch self {
            case .found(let found): found.revision
            case .notFound(let notFound): notFound.revision
            }
        }
        set {
            switch self {
            case .found(var found):
                found.revision = newValue
                self = .found(found)
            case .notFound(var notFound):
                notFound.revision = newValue
                self = .notFound(notFound)
            }
        }
    }

    /// Stores a value, which can be done in both cases.
    public var set: Action<Value> {
        switch self {
        case .found(let found): found.set
        case .notFound(let notFound): notFound.set
        }
    }
}

extension Persistable: Equatable where Value: Equatable {}
extension Persistable: Hashable where Value: Hashable {}
