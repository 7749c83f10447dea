public import Foundation

/// A value that turns itself into data and back, such as an image.
///
/// ```swift
/// import Foundation
/// import PromisedSources
///
/// struct Note: DataConvertible {
///     struct NotText: Error {}
///     var text: String
///
///     init(text: String) { self.text = text }
///     init(data: Data) throws {
///         guard let text = String(data: data, encoding: .utf8) else { throw NotText() }
///         self.init(text: text)
///     }
///     func data() throws -> Data { Data(text.utf8) }
/// }
///
/// let memory = MemoryPersistence()
/// memory.set(Note(text: "milk"), for: StorageKey("note.txt"))
/// ```
///
/// Its ``StorageKey`` uses this coding, also if the type is `Codable` as well.
public protocol DataConvertible: Sendable {
    /// Creates the value from its data.
    ///
    /// - Throws: Any error, if the data is not that of a whole value: it may have been changed or cut off.
    init(data: Data) throws

    /// The data of the value.
    ///
    /// - Throws: Any error, if the value has no data.
    func data() throws -> Data
}

extension Data: DataConvertible {
    /// The data as it is.
    public init(data: Data) { self = data }
    /// The data as it is.
    public func data() -> Data { self }
}
