extension EffectRegistry {
    /// The slots of one feedback. Most have one key, and that is found without a table.
    @usableFromInline
    struct Slots: Sendable {
        @usableFromInline var aloneKey: EffectKey?
        /// That of `aloneKey`.
        @usableFromInline var alone = Slot(nil)
        @usableFromInline var others: [EffectKey: Slot] = [:]

        @inlinable
        init() {}

        @inlinable var isEmpty: Bool { aloneKey == nil && others.isEmpty }
        @inlinable var count: Int { others.count + (aloneKey == nil ? 0 : 1) }
        @inlinable var keys: [EffectKey] { (aloneKey.map { [$0] } ?? []) + Array(others.keys) }
        @inlinable var all: [Slot] { (aloneKey == nil ? [] : [alone]) + Array(others.values) }

        /// Changes the slot of a key where it is.
        ///
        /// - Parameters:
        ///   - orMake: Makes one if there is none; nil for doing nothing then.
        ///   - body: Says whether the slot is to be given up.
        @inlinable
        mutating func change(
            _ key: EffectKey, orMake make: (() -> Slot)? = nil, _ body: (inout Slot) -> Bool
        ) {
            if aloneKey == key {
                if body(&alone) { (aloneKey, alone) = (nil, Slot(nil)) }
            } else if let place = others.isEmpty ? nil : others.index(forKey: key) {
                if body(&others.values[place]) { others.remove(at: place) }
            } else if let make {
                var slot = make()
                guard !body(&slot) else { return }
                if aloneKey == nil { (aloneKey, alone) = (key, slot) } else { others[key] = slot }
            }
        }

        @inlinable
        mutating func remove(_ key: EffectKey) -> Slot? {
            guard aloneKey == key else { return others.removeValue(forKey: key) }
            defer { (aloneKey, alone) = (nil, Slot(nil)) }
            return alone
        }
    }
}
