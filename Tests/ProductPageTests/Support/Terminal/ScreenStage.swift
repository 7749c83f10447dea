import PromisedSystem
import PromisedTesting
import Synchronization

@testable import ProductPage

/// The page on a terminal, without process and in virtual time.
final class ScreenStage: Sendable {
    private final class Display: Sendable {
        let screen: Mutex<TerminalScreen>
        let log = Mutex("")

        init(_ columns: Int, _ rows: Int) { screen = Mutex(TerminalScreen(columns: columns, rows: rows)) }
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
            painter: Painter(hasColor: hasColor),
            write: { text in
                display.log.withLock { $0 += text }
                display.screen.withLock { $0.take(text.utf8) }
            })
        display.screen.withLock { $0.take(Painter.Sequences.enter.utf8) }
        scheduler.runAsCurrent { terminal.start() }
        scheduler.advance()
    }

    /// Types, and lets what is due now happen.
    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        scheduler.runAsCurrent { terminal.receive(bytes) }
        scheduler.advance()
    }

    /// Types, and lets time pass until nothing loads.
    func play(_ text: String) {
        type(text)
        scheduler.run()
    }

    func send(_ event: ProductPage.Event) {
        page.sendEvent(event)
        scheduler.advance()
    }

    func resize(columns: Int, rows: Int) {
        display.screen.withLock { $0.resize(columns: columns, rows: rows) }
        scheduler.runAsCurrent { terminal.resize(to: ScreenSize(columns: columns, rows: rows)) }
    }

    var screen: TerminalScreen { display.screen.withLock { $0 } }
    var text: String { screen.text }

    /// What was written since the last look.
    func written() -> String {
        display.log.withLock { log in
            defer { log = "" }
            return log
        }
    }
}
