import PromisedSystem
import PromisedTesting
import Synchronization

@testable import ProductPage
@testable import ToolSupport

/// The page on a terminal, without process and in virtual time.
final class ScreenFixture: Sendable {
    private final class Display: Sendable {
        let screen: Mutex<TerminalScreen>
        let log = Mutex("")

        init(_ columns: Int, _ rows: Int) { screen = Mutex(TerminalScreen(columns: columns, rows: rows)) }

        func write(_ text: String) {
            log.withLock { $0 += text }
            screen.withLock { $0.take(text.utf8) }
        }
    }

    let scheduler = TestScheduler()
    let page: System<ProductPage.State, ProductPage.Event>
    let terminal: PageScreen
    private let display: Display

    init(_ effects: Effects, columns: Int = 80, rows: Int = 24, hasColor: Bool = false) {
        let display = Display(columns, rows)
        self.display = display
        page = ProductPage.system(effects: effects, scheduler: scheduler)
        terminal = PageScreen(
            page, scheduler: scheduler, size: ScreenSize(columns: columns, rows: rows),
            painter: Painter(hasColor: hasColor), write: { display.write($0) })
        display.write(Painter.enter)
        scheduler.runAsCurrent { terminal.start() }
        scheduler.advance()
    }

    /// Types, and lets what is due in this time happen; all of it where no time is given.
    func play(_ keys: String, _ time: Duration? = nil) {
        if !keys.isEmpty { scheduler.runAsCurrent { terminal.receive(Array(keys.utf8)) } }
        if let time { scheduler.advance(by: time) } else { scheduler.run() }
    }

    func load(_ time: Duration? = nil) {
        page.sendEvent(.load)
        play("", time)
    }

    var screen: TerminalScreen { display.screen.withLock { $0 } }
    var text: String { terminal.quit.promise.result == nil ? screen.text : "(the end)" }

    /// What was written since the last look.
    func written() -> String {
        display.log.withLock { log in
            defer { log = "" }
            return log
        }
    }
}
