import Dispatch
import PromisedSystem
import ToolSupport

/// Runs the page on the terminal until the user quits.
enum TerminalPage {
    static func run(_ page: System<ProductPage.State, ProductPage.Event>, hasColor: Bool) async throws {
        let screen = PageScreen(
            page, scheduler: .main, size: Terminal.size, painter: Painter(hasColor: hasColor),
            write: Terminal.write)
        let listening = await TerminalNotifications.listen(screen)
        defer {
            for source in listening { source.cancel() }
            Terminal.leave()
        }
        await MainActor.run {
            TerminalNotifications.appear(screen)
            screen.start()
        }
        page.sendEvent(.load)
        try await screen.quit.promise.value
    }
}
