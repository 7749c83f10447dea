import Foundation

/// Keeps two programs from changing files of one folder at the same time.
///
/// An advisory lock on the folder itself: it leaves no file behind, and ends with the process that holds it,
/// however that ends. It holds between the processes of one machine; who only reads does not need it.
struct FolderLock {
    /// No program works that long on a cart: one that holds the lock longer hangs, or means harm.
    static let patience = Duration.seconds(10)

    private let descriptor: Int32

    /// Waits until no other program has the lock.
    ///
    /// - Throws: that another program had it for all of `patience`, or the system's reason.
    init(
        _ folder: String, patience: Duration = patience, unless isCancelled: () -> Bool = { false }
    ) throws(AtomicFile.Failure) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AtomicFile.Failure(reason: SystemReason.current) }
        let deadline = ContinuousClock.now + patience
        // To let the system wait would be cheaper, but that wait has no end.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, Self.isTaken {
            guard .now < deadline else {
                close(descriptor)
                throw AtomicFile.Failure(reason: "another program is changing it; try again")
            }
            guard !isCancelled() else {
                close(descriptor)
                throw .cancelled
            }
            usleep(2_000)
        }
    }

    /// To be called exactly once.
    func release() { close(descriptor) }

    /// Some file systems have no locks. Not to keep a cart there at all would be worse than what can happen.
    private static var isTaken: Bool { errno == EWOULDBLOCK || errno == EINTR }
}
