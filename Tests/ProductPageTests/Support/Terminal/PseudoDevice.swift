#if os(Linux)
    import Foundation

    /// The two ends of a pseudo-terminal: this is where a person would sit.
    final class PseudoDevice {
        private(set) var person: Int32
        /// Where the other end is.
        let path: String

        /// A place that keeps programs apart may have none.
        static let isPossible =
            (try? PseudoDevice(columns: 80, rows: 24)).map { access($0.path, R_OK | W_OK) == 0 } ?? false

        init(columns: Int, rows: Int) throws {
            // What `posix_openpt`, `unlockpt` and `ptsname` do: TIOCSPTLCK and TIOCGPTN, none of which Swift sees.
            person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (lock, number) = (Int32(0), Int32(0))
            guard person >= 0, ioctl(person, UInt(0x4004_5431), &lock) == 0,
                ioctl(person, UInt(0x8004_5430), &number) == 0
            else { throw WrongCount(count: Int(errno)) }
            path = "/dev/pts/\(number)"
            resize(columns: columns, rows: rows)
            // Unlike any default, so that restoring is not the same as setting defaults.
            var settings = settings
            settings.c_lflag = settings.c_lflag & ~tcflag_t(ECHOCTL) | tcflag_t(ECHONL)
            settings.c_iflag |= tcflag_t(IXANY)
            withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VMIN)] = 7 }
            guard tcsetattr(person, TCSANOW, &settings) == 0 else { throw WrongCount(count: Int(errno)) }
        }

        deinit { close() }

        func close() {
            Foundation.close(person)
            person = -1
        }

        func resize(columns: Int, rows: Int) {
            var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
            _ = ioctl(person, UInt(TIOCSWINSZ), &size)
        }

        var settings: termios {
            var settings = termios()
            tcgetattr(person, &settings)
            return settings
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
            // A pipe that another test has just opened would not end before this program.
            for other in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, other) }
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
            let texts = [command, environment.map { "\($0.key)=\($0.value)" }].map {
                $0.map { strdup($0) } + [nil]
            }
            defer { for text in texts.joined() { free(text) } }
            var process: pid_t = 0
            let problem = posix_spawn(&process, command[0], &actions, &attributes, texts[0], texts[1])
            guard problem == 0 else { throw WrongCount(count: Int(problem)) }
            return process
        }
    }
#endif
