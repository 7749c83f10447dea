#if os(Linux)
    import Foundation
    import Synchronization

    /// A terminal's settings, comparable.
    struct TerminalSettings: Sendable, Equatable {
        var flags: [UInt32]
        var characters: [UInt8]

        init(_ settings: termios) {
            flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
            characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        }

        /// Whether a line is waited for before a program gets it.
        var givesLines: Bool { flags[3] & UInt32(ICANON) != 0 }
    }

    /// The two ends of a pseudo-terminal: this is where a person would sit.
    final class PseudoDevice: Sendable {
        private let master: Int32
        /// Where the other end is.
        let path: String
        /// Something written here says that nobody sits there any more.
        private let alarm: Channel

        /// A place that keeps programs apart may have none.
        static let isPossible =
            (try? PseudoDevice(columns: 80, rows: 24)).map { access($0.path, R_OK | W_OK) == 0 } ?? false

        init(columns: Int, rows: Int) throws {
            // What `posix_openpt`, `unlockpt` and `ptsname` do: TIOCSPTLCK and TIOCGPTN, none of which Swift sees.
            master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (lock, number) = (Int32(0), Int32(0))
            guard master >= 0, ioctl(master, UInt(0x4004_5431), &lock) == 0,
                ioctl(master, UInt(0x8004_5430), &number) == 0
            else { throw WrongCount(count: Int(errno)) }
            path = "/dev/pts/\(number)"
            alarm = Channel()
            resize(columns: columns, rows: rows)
            // Unlike any default, so that restoring is not the same as setting defaults.
            var settings = termios()
            guard tcgetattr(master, &settings) == 0 else { throw WrongCount(count: Int(errno)) }
            settings.c_lflag |= tcflag_t(ECHONL)
            settings.c_lflag &= ~tcflag_t(ECHOCTL)
            settings.c_iflag |= tcflag_t(IXANY)
            withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VMIN)] = 7 }
            guard tcsetattr(master, TCSANOW, &settings) == 0 else { throw WrongCount(count: Int(errno)) }
        }

        /// Starts a program with the terminal as its own, in a session of its own.
        func start(_ command: [String], environment: [String: String]) throws -> pid_t {
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            // The first terminal that a session opens becomes its own.
            posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 0, 1)
            posix_spawn_file_actions_adddup2(&actions, 0, 2)
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // Nothing blocked or ignored, whatever the threads of the tests do.
            var (none, all) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigfillset(&all)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, a GNU name
            posix_spawnattr_setflags(
                &attributes, Int16(newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
            let values = environment.map { "\($0.key)=\($0.value)" }
            let arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
            let variables: [UnsafeMutablePointer<CChar>?] = values.map { strdup($0) } + [nil]
            defer { for text in arguments + variables { free(text) } }
            var process: pid_t = 0
            let problem = posix_spawn(&process, command[0], &actions, &attributes, arguments, variables)
            guard problem == 0 else { throw WrongCount(count: Int(problem)) }
            return process
        }

        /// What was written, as soon as there is something; nil at the end.
        func read() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while true {
                var waiting = [
                    pollfd(fd: master, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: alarm.reading.fileDescriptor, events: Int16(POLLIN), revents: 0),
                ]
                guard poll(&waiting, 2, -1) >= 0 || errno == EINTR else { break }
                if waiting[1].revents != 0 { break }
                guard waiting[0].revents != 0 else { continue }
                let count = Foundation.read(master, &buffer, buffer.count)
                if count > 0 { return Array(buffer[..<count]) }
                if count < 0, errno == EINTR { continue }
                // Nobody has the other end open any more. This end stays, for a look at the settings.
                return nil
            }
            // Here, where nobody else uses the number.
            Foundation.close(master)
            return nil
        }

        /// The end that a program has, here too.
        func openOtherEnd() -> Int32 { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK) }

        func write(_ bytes: [UInt8]) { _ = Foundation.write(master, bytes, bytes.count) }

        /// For a device that nobody reads.
        func close() { Foundation.close(master) }

        func hangUp() { alarm.write("!") }

        func resize(columns: Int, rows: Int) {
            var size = winsize()
            (size.ws_col, size.ws_row) = (UInt16(columns), UInt16(rows))
            _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        }

        func settings() throws -> TerminalSettings {
            var settings = termios()
            guard tcgetattr(master, &settings) == 0 else { throw WrongCount(count: Int(errno)) }
            return TerminalSettings(settings)
        }

        /// - Returns: The exit code; of a process that a signal ended, 128 and its number.
        static func wait(for process: pid_t) -> Int32 {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }
#endif
