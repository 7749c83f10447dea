import Foundation
import Synchronization

/// The terminal that the process stands on: its settings, its size, and the way back.
///
/// It is ours from `enter` to `leave`. `leave` gives it back as it was, from any thread and any number of
/// times; all that ends the process goes through it.
final class Terminal: Sendable {
    static let standard = Terminal(input: 0, output: 1)

    private struct Loan {
        /// The settings as they were found.
        var settings: termios
    }

    let input: Int32
    private let output: Int32
    private let loan = Mutex<Loan?>(nil)

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

    /// Takes each key as it comes, without showing it, and shows the page's screen. Once more where that was
    /// done before: whoever stopped the process may have left other settings.
    func enter() {
        loan.withLock { loan in
            if loan == nil {
                var settings = termios()
                guard tcgetattr(input, &settings) == 0 else { return }
                loan = Loan(settings: settings)
                CrashGuard.arm(settings)
            }
            guard var raw = loan?.settings else { return }
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
        loan.withLock { loan in
            guard let found = loan else { return }
            loan = nil
            CrashGuard.disarm()
            guard isForeground else { return }
            restore(found)
            send(Painter.Sequences.leave)
        }
        HeldTalk.release()
    }

    /// Only the settings, without waiting for anything: for a terminal that takes no output any more.
    func restoreSettings() {
        _ = loan.withLockIfAvailable { loan in if let loan, isForeground { restore(loan) } }
    }

    private func restore(_ loan: Loan) {
        var settings = loan.settings
        _ = tcsetattr(input, TCSANOW, &settings)
    }

    /// Writes what is drawn; nothing once the terminal is given back.
    func write(_ text: String) {
        loan.withLock { loan in if loan != nil { send(text) } }
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
