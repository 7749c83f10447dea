extension EffectRegistry {
    /// The slots of one feedback, by key. Most feedbacks use one key, which is stored inline instead of in a
    /// dictionary.
    struct KeyedEffects: Sendable {
        var aloneKey: EffectKey?
        /// The slot of `aloneKey`; an empty slot if that is nil.
        var alone = EffectSlot()
        var others: [EffectKey: EffectSlot] = [:]

        var isEmpty: Bool { aloneKey == nil && others.isEmpty }
        var count: Int { others.count + (aloneKey == nil ? 0 : 1) }
        var keys: [EffectKey] { pairs.map { $0.0 } }
        var pairs: [(EffectKey, EffectSlot)] {
            (aloneKey.map { [($0, alone)] } ?? []) + others.map { ($0, $1) }
        }
        func forEach(_ body: (EffectKey, EffectSlot) -> Void) {
            if let aloneKey { body(aloneKey, alone) }
            for (key, slot) in others { body(key, slot) }
        }

        var all: [EffectSlot] { pairs.map { $0.1 } }

        subscript(key: EffectKey) -> EffectSlot? { aloneKey == key ? alone : others[key] }

        /// Mutates the slot of a key in place.
        ///
        /// - Parameters:
        ///   - makes: Whether to create the slot if there is none; otherwise `body` is not called then.
        ///   - body: Returns whether to remove the slot. It must leave a removed slot empty.
        // Not inlined: slots are large, and the copies of this function cost more to compile than calling it costs.
        @inline(never)
        mutating func change(_ key: EffectKey, makes: Bool = false, _ body: (inout EffectSlot) -> Bool) {
            if aloneKey == key {
                if body(&alone) { aloneKey = nil }
            } else if let place = others.isEmpty ? nil : others.index(forKey: key) {
                if body(&others.values[place]) { others.remove(at: place) }
            } else if makes, aloneKey == nil {
                if !body(&alone) { aloneKey = key }
            } else if makes {
                var slot = EffectSlot()
                if !body(&slot) { others[key] = slot }
            }
        }

        mutating func remove(_ key: EffectKey) -> EffectSlot? {
            guard aloneKey == key else { return others.removeValue(forKey: key) }
            defer { (aloneKey, alone) = (nil, EffectSlot()) }
            return alone
        }
    }
}
