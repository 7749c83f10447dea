// Releases and destroys what a chain retains without recursion, however long the chain is.
extension Trampoline {
    /// An object or closure whose release is deferred, as it may retain a whole chain.
    enum DeferredRelease {
        /// A promise's storage, or an object that holds a user's value or error.
        case object(Unmanaged<AnyObject>)
        /// The two words of a closure. All closures have the same layout, so its type does not matter.
        case work(Closure)

        typealias Closure = (code: UInt, context: UInt)

        fileprivate func release() {
            switch self {
            case .object(let object): object.release()
            case .work(var closure):
                withUnsafeMutableBytes(of: &closure) {
                    _ = $0.assumingMemoryBound(to: (@Sendable () -> Void).self).deinitialize()
                }
            }
        }
    }

    /// Releases an object or closure without recursion, however long the chain is that it retains.
    func deferRelease(_ deferred: DeferredRelease) {
        state.pointee.deferredReleases.append(deferred)
        guard !state.pointee.isReleasing else { return }
        state.pointee.isReleasing = true
        // A release may defer further ones, which are appended here.
        while let next = state.pointee.deferredReleases.popLast() { next.release() }
        if state.pointee.deferredReleases.capacity > 1024 { state.pointee.deferredReleases = [] }
        state.pointee.isReleasing = false
    }

    /// Destroys a user's value without recursion, even if it holds a promise, whose value holds a promise…, as a lazy
    /// list does. The outermost value is destroyed immediately; nested ones are moved out and released afterwards.
    static func destroy<Value>(_ value: UnsafeMutablePointer<Value>) {
        let trampoline = current
        guard !trampoline.state.pointee.isDestroying else {
            return trampoline.deferRelease(.object(.passRetained(DeferredValue(from: value))))
        }
        trampoline.state.pointee.isDestroying = true
        value.deinitialize(count: 1)
        trampoline.endDestroying()
    }

    private func endDestroying() { state.pointee.isDestroying = false }

    /// A value that was moved out of a promise's storage, for deferred release.
    private final class DeferredValue<Value> {
        private let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)

        init(from value: UnsafeMutablePointer<Value>) { place.moveInitialize(from: value, count: 1) }

        deinit { place.deinitialize(count: 1).deallocate() }
    }
}
