extension SerialScheduler {
    /// Whether the caller runs inside this scheduler's ``runAsCurrent(_:)``.
    public var isCurrent: Bool { Trampoline.runningScheduler === self }

    /// Runs `body` on the calling thread as work of this scheduler: chains that it starts run on this scheduler, unless
    /// they name another one.
    ///
    /// - Throws: The error that `body` throws.
    public func runAsCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Trampoline.run(on: self, body)
    }
}
