extension Exploration {
    /// Saves the exploration, for another process to go on with: ``Explorer/resume(from:depth:_:onProgress:)``.
    ///
    /// States and events need not be `Codable`: the file has the configurations as fingerprints, and the steps at which
    /// each value appeared first. An existing file is replaced as a whole, or stays as it was.
    ///
    /// ```swift
    /// import Foundation
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// let explorer = Explorer<Int, Int>(events: [1, 2]) { world in
    ///     System(initialState: 0, scheduler: world.scheduler, reducer: Reducer { $0 = ($0 + $1) % 100 })
    /// }
    /// let path = NSTemporaryDirectory() + "numbers \(UUID()).exploration"
    /// try explorer.explore(depth: 100, .init(stepLimit: 50)).save(to: path)
    /// print(try explorer.resume(from: path).configurations)
    /// // 100
    /// try FileManager.default.removeItem(atPath: path)
    /// ```
    ///
    /// - Parameter path: The path of the file. Folders that are missing are created.
    /// - Throws: An error with the reason: the file cannot be written, configurations cannot be compared or
    ///   were not (``Merging/none``), or there is a counterexample, with which an exploration ends.
    public func save(to path: String) throws {
        if let reason = reasonNotToSave {
            throw CheckpointProblem("The exploration was not saved in \(path): \(reason)")
        }
        try Checkpoint(
            events: events.map { SourceText($0).description }, properties: notes.properties, hasView: hasView,
            states: Checkpoint.fingerprint(of: states, hasView: hasView), bounds: bounds, memory: memory,
            notes: StoredNotes(notes)
        ).write(to: path)
    }

    private var reasonNotToSave: String? {
        if counterexample != nil {
            return
                "it has found a violation, and so it has ended. Keep the failure: check it with regressions, or "
                + "write the counterexample's json."
        }
        if bounds.options.merging == .none {
            return
                "with merging .none there are no configurations to go on with. Explore without that option."
        }
        if let type = notes.incomparable.sorted().first {
            return
                "values of \(type) cannot be compared, so they are not found again. Make the type Hashable, and each "
                + "value equal to itself."
        }
        if memory.log == nil {
            return
                "the exploration before it was continued more than once, so the values have no fixed order. Save it "
                + "before, or explore from the start."
        }
        return nil
    }
}
