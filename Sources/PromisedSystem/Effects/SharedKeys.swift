/// Which feedbacks have their named keys in common: those that work for the same part, or for the same element of a
/// collection.
struct SharedKeys: Sendable {
    /// An element of a collection for which several feedbacks work.
    struct SharedElement: Hashable, Sendable {
        /// The slots that these feedbacks share for the collection as a whole.
        let slots: Int
        let path: [EffectKey]
    }

    /// The registry number of the slots for named keys, by the index of the feedback: its own where it is alone.
    let numbers: [Int]
    /// The indices of the first feedbacks of the parts that have several. The numbers of their shared slots follow
    /// those of the feedbacks.
    let firstFeedbacks: [Int]
    /// The registry numbers of the slots for the named keys of elements, as soon as there are any.
    var ofElements: [SharedElement: Int] = [:]
    /// Keys under which nothing runs any more because a part has ended, while requests of other feedbacks may be
    /// queued.
    var vacated: [EffectName] = []

    /// The elements for which each feedback works, by its index.
    private let elements: [[PartKey.PassedElement]]

    init(_ places: [PartKey]) {
        elements = places.map(\.elements)
        let places = places.map(\.ofEveryElement)
        var counts: [PartKey: Int] = [:]
        if places.count > 1 { for place in places { counts[place, default: 0] += 1 } }
        var (ofParts, first) = ([PartKey: Int](), [Int]())
        numbers = places.indices.map { index in
            guard counts[places[index], default: 1] > 1 else { return index }
            if let number = ofParts[places[index]] { return number }
            first.append(index)
            ofParts[places[index]] = places.count + first.count - 1
            return places.count + first.count - 1
        }
        firstFeedbacks = first
    }

    /// The elements that a feedback works for, outermost first: the same for all feedbacks that work for it, however
    /// they are lifted.
    ///
    /// - Parameter ids: The ids of those that its decisions name; empty for all of its work.
    func path(of index: Int, _ ids: [EffectKey] = []) -> [EffectKey] {
        var (ids, path) = (ids[...], [EffectKey]())
        for element in elements[index] {
            guard let id = element.id ?? ids.popFirst() else { break }
            path.append(EffectKey(ElementPlace(collection: element.collection, id: id)))
        }
        return path
    }

    /// The registry numbers of the slots that a feedback shares for these elements, an empty path being the whole part.
    func existing(of index: Int, _ paths: [[EffectKey]]) -> [Int] {
        paths.compactMap { path in
            path.isEmpty ? numbers[index] : ofElements[SharedElement(slots: numbers[index], path: path)]
        }
    }

    func isShared(_ index: Int) -> Bool { numbers[index] != index }
}

private struct ElementPlace: Hashable, Sendable, CustomStringConvertible {
    let collection: PartKey
    let id: EffectKey

    var description: String { id.description }
}
