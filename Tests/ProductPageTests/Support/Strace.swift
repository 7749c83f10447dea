/// Makes a system call of a process fail, or the process end there, by the tool of that name, on Linux.
struct Strace {
    /// What happens at the `number`-th call of that name that has to do with one of the paths.
    struct Fault: CustomStringConvertible {
        /// The system calls that a cart needs.
        static let calls = [
            "mkdir", "openat", "flock", "read", "write", "fsync", "rename", "close", "unlink", "readlink",
        ]

        var call: String
        var number: Int
        /// As `strace` says it: `signal=KILL`, `error=ENOSPC`.
        var effect: String

        var description: String { "\(call)\(number): \(effect)" }
    }

    /// Whether it is installed, and may watch processes here.
    static let works = BuiltTool.canRun("strace -f -o /dev/null true")

    /// What a shell becomes: the program under watch, as the shell's own process.
    static func command(_ fault: Fault, at paths: [String]) -> String {
        let watched = paths.map { #"-P "\#($0)""# }.joined(separator: " ")
        let inject = "inject=\(fault.call):\(fault.effect):when=\(fault.number)"
        return #"exec strace -D -f -qq -o /dev/null \#(watched) -e \#(inject) "$0" "$@""#
    }
}
