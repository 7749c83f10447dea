import Foundation

/// Why a system call failed.
package enum SystemReason {
    /// In words for the reasons people meet, else as the system says it. Read at once: any call changes it.
    package static var current: String {
        switch errno {
        case ENOENT: "no such file"
        case EISDIR: "is a directory"
        case EACCES, EPERM: "permission denied"
        case ENOTDIR: "a part of the path is not a directory"
        case ELOOP: "too many symbolic links"
        case ENOSPC: "no space left on the disk"
        case EROFS: "the disk is read-only"
        case let code: String(cString: strerror(code))
        }
    }

    /// Whether nothing at all has that name: a link that leads nowhere is something.
    package static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) != 0 && errno == ENOENT
    }
}
