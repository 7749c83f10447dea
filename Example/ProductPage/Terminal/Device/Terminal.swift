import Foundation
import Synchronization

/// The terminal that the process stands on: its settings, its size, and the way back.
///
/// It is ours from `enter` to `leave`. `leave` gives it back as it was, from any thread and any number of
/// times; all that ends the process goes through it.
final class Terminal: Sendable {
    static let standard = Terminal(input: 0, output: 1)

    let input: Int32
    private let output: Int32
    /// Whether the terminal is ours. Held while something is written, so that nothing comes after `leave`.
    private let isOurs = Mutex(false)
    /// The settings as they were found, while it is ours. With a lock of their own: who writes may wait for ever.
    private let found = Mutex<termios?>(nil)

    private init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    var size: ScreenSize {
        var size = winsize()
        _ = ioctl(output, UInt(TIOCGWINSZ), &size)
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    /// Whether the shell has given us the terminal: in the background it belongs to somebody else, and its
    /// settings are not ours to change.
    var isForeground: Bool { tcgetpgrp(input) == getpgrp() }

    /// Whether somebody else has it. One that is gone belongs to nobody, and says so when it is read.
    var isElsewhere: Bool {
        let group = tcgetpgrp(input)
        return group > 0 && group != getpgrp()
    }

    /// Takes each key as it comes, without showing it, and shows the page's screen. Once more where that was
    /// done before: whoever stopped the process may have left other settings.
    func enter() {
        isOurs.withLock { isOurs in
            if !isOurs {
                var settings = termios()
                guard tcgetattr(input, &settings) == 0 else { return }
                found.withLock { $0 = settings }
                isOurs = true
                CrashGuard.arm(settings, input: input, output: output)
            }
            guard var raw = found.withLock({ $0 }) else { return }
            // Neither lines nor echo, and no byte that becomes another or stops the output. Signals stay
            // with the kernel, so that Ctrl-C ends the program whatever it is doing, and Ctrl-Z stops it
            // together with what stands beside it in a pipeline.
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ECHONL | IEXTEN)
            raw.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
            withUnsafeMutableBytes(of: &raw.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
            _ = tcsetattr(input, TCSANOW, &raw)
            send(Painter.Sequences.enter)
        }
    }

    /// Puts the terminal back, and says what had to wait.
    func leave() {
        isOurs.withLock { isOurs in
            guard isOurs else { return }
            isOurs = false
            CrashGuard.disarm()
            restoreSettings()
            found.withLock { $0 = nil }
            if isForeground { send(Painter.Sequences.leave) }
        }
        HeldTalk.release()
    }

    /// Only the settings, without waiting for anything: for a terminal that takes no output any more.
    func restoreSettings() {
        guard var settings = found.withLock({ $0 }), isForeground else { return }
        _ = tcsetattr(input, TCSANOW, &settings)
    }

    /// Writes what is drawn; nothing once the terminal is given back.
    func write(_ text: String) {
        isOurs.withLock { isOurs in if isOurs { send(text) } }
    }

    /// A terminal that is gone says so by a signal; nobody is left to tell it to.
    private func send(_ text: String) { _ = Console.write(Array(text.utf8), to: output) }

    /// What has been typed; nil at the end, when nobody sits there any more. Waits if nothing has been.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Foundation.read(input, &buffer, buffer.count)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR && errno != EAGAIN { return nil }
            if errno == EAGAIN { return [] }
        }
    }
}
