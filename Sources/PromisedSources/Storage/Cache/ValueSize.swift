internal import Foundation

/// A value of the standard library that refers to memory outside of itself.
private protocol CountedInBytes {
    /// The bytes to which it refers.
    var referredBytes: Int { get }
}

/// The size of a value in a cache.
func cacheSize<Value>(of value: Value) -> Int {
    if let value = value as? any CacheSizeRepresentable { return max(0, value.cacheSize) }
    return sum(MemoryLayout<Value>.stride, (value as? any CountedInBytes)?.referredBytes ?? 0)
}

private func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, isTooLarge) = left.addingReportingOverflow(right)
    return isTooLarge ? .max : sum
}

extension Data: CountedInBytes { fileprivate var referredBytes: Int { count } }
extension String: CountedInBytes { fileprivate var referredBytes: Int { utf8.count } }
extension Substring: CountedInBytes { fileprivate var referredBytes: Int { utf8.count } }

extension Optional: CountedInBytes {
    fileprivate var referredBytes: Int {
        map { max(0, cacheSize(of: $0) - MemoryLayout<Wrapped>.stride) } ?? 0
    }
}

extension Collection {
    fileprivate var bytesOfElements: Int {
        // Of most types all values are of one size.
        let isCounted =
            Element.self is any CountedInBytes.Type || Element.self is any CacheSizeRepresentable.Type
        return isCounted ? reduce(0) { sum($0, cacheSize(of: $1)) } : count * MemoryLayout<Element>.stride
    }
}

extension Array: CountedInBytes { fileprivate var referredBytes: Int { bytesOfElements } }
extension ArraySlice: CountedInBytes { fileprivate var referredBytes: Int { bytesOfElements } }
extension ContiguousArray: CountedInBytes { fileprivate var referredBytes: Int { bytesOfElements } }
extension Set: CountedInBytes { fileprivate var referredBytes: Int { bytesOfElements } }
extension Dictionary: CountedInBytes {
    fileprivate var referredBytes: Int { sum(keys.bytesOfElements, values.bytesOfElements) }
}
