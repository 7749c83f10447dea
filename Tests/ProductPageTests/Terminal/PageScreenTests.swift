import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

@testable import ProductPage

/// The page on a terminal in virtual time.
@Suite struct PageScreenTests {
    private func stage(
        latency: Duration = .zero, failing: Set<Int> = [], cart: [Product] = [], rows: Int = 24
    ) -> ScreenStage {
        ScreenStage(FakeShop(cart: cart, latency: latency, failing: failing).effects, rows: rows)
    }

    @Test("the spinner turns ten times a second, and the time that has passed is beside it")
    func spinner() {
        let stage = stage(latency: .seconds(30))
        stage.send(.load)
        for (picture, tenth) in zip("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⠋⠙", 0...) {
            #expect(stage.text.contains("\(picture) Loading… \(tenth / 10).\(tenth % 10)\u{A0}s"))
            stage.scheduler.advance(by: .milliseconds(99))
            #expect(stage.text.contains("\(picture) Loading…"))
            stage.scheduler.advance(by: .milliseconds(1))
        }
    }

    @Test("after 5 seconds it says that it takes long, and how to cancel it; the time goes on")
    func slow() {
        let stage = stage(latency: .seconds(30))
        stage.send(.load)
        stage.scheduler.advance(by: .milliseconds(4999))
        #expect(stage.text.contains("Loading… 4.9\u{A0}s"))
        stage.scheduler.advance(by: .milliseconds(1))
        #expect(stage.text.contains("Still loading, 5.0\u{A0}s. Press Esc to cancel."))
        stage.scheduler.advance(by: .seconds(5))
        #expect(stage.text.contains("Still loading, 10.0\u{A0}s."))
        stage.type("\u{1B}")
        stage.scheduler.advance(by: PageScreen.keyPatience)
        #expect(stage.text.contains("Cancelled. Press r to load, q to quit."))
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("each load counts its own time, and shows the product beneath")
    func again() {
        let stage = stage(latency: .seconds(2))
        stage.send(.load)
        stage.scheduler.run()
        stage.type("r")
        #expect(stage.text.contains("⠋ Loading… 0.0\u{A0}s"))
        #expect(stage.text.contains("Apple"))
        stage.scheduler.advance(by: .milliseconds(1900))
        #expect(stage.text.contains("Loading… 1.9\u{A0}s"))
        stage.scheduler.advance(by: .milliseconds(100))
        #expect(!stage.text.contains("Loading…"))
    }

    @Test("while nothing loads no timer waits, whatever is on the screen")
    func idle() {
        let stage = stage(latency: .seconds(1), failing: [3])
        #expect(stage.scheduler.pendingCount == 0)
        stage.send(.load)
        #expect(stage.scheduler.pendingCount > 0)
        for keys in ["", "a", "n", "r", "c", "?", "\u{1B}", "jkb \u{1B}[A", "\u{1B}[2"] {
            stage.play(keys)
            #expect(stage.scheduler.pendingCount == 0, "after \(keys)")
        }
        #expect(stage.text.contains("Error: shop: out of order"))
        _ = stage.written()
        stage.scheduler.advance(by: .seconds(3600))
        #expect(stage.written() == "")
    }

    @Test("a turn of the spinner writes its line and nothing else")
    func economy() {
        let stage = stage(latency: .seconds(2))
        stage.send(.load)
        _ = stage.written()
        stage.scheduler.advance(by: .milliseconds(100))
        #expect(
            stage.written()
                == "\u{1B}[?2026h\u{1B}[23;1H⠙ Loading… 0.1\u{A0}s\u{1B}[K\u{1B}[?2026l")
    }

    @Test("Esc cancels what loads, and else goes back to the product; a refresh keeps what was there")
    func escape() {
        let stage = stage(latency: .seconds(60))
        stage.send(.load)
        stage.scheduler.run()
        stage.type("c")
        stage.play("\u{1B}")
        #expect(stage.text.contains("1 of 3"))
        stage.type("r")
        stage.scheduler.advance(by: .seconds(1))
        stage.type("\u{1B}")
        stage.scheduler.advance(by: PageScreen.keyPatience)
        #expect(stage.text.contains("Apple"))
        #expect(!stage.text.contains("Loading…"))
        #expect(stage.scheduler.pendingCount == 0)
    }

    @Test("the rest of a key may come later than its beginning, but not for ever")
    func keyInPieces() {
        let stage = stage()
        stage.send(.load)
        stage.scheduler.run()
        for byte in "\u{1B}[".utf8 {
            stage.type([byte])
            stage.scheduler.advance(by: .milliseconds(49))
        }
        stage.play("C")
        #expect(stage.text.contains("Bread"))
    }

    @Test(
        "a paste whose end is lost ends after a pause, or when the page is shown anew",
        arguments: [true, false])
    func endlessPaste(isPause: Bool) {
        let stage = stage()
        stage.type("\u{1B}[200~q")
        stage.scheduler.advance(by: .milliseconds(999))
        stage.type("q")
        stage.scheduler.advance(by: .milliseconds(999))
        #expect(stage.terminal.quit.result == nil)
        if isPause {
            stage.scheduler.advance(by: .milliseconds(1))
        } else {
            stage.terminal.reveal(ScreenSize(columns: 80, rows: 24))
        }
        #expect(stage.scheduler.pendingCount == 0)
        stage.type("q")
        #expect(stage.terminal.quit.result != nil)
    }

    @Test("a letter with Alt is no letter, and no Esc")
    func alt() {
        let stage = stage()
        stage.play("?")
        stage.play("\u{1B}q")
        #expect(stage.terminal.quit.result == nil)
        #expect(stage.text.contains("scroll to the end"))
    }

    @Test("a key that is held down asks for one refresh")
    func heldKey() {
        let shop = FakeShop(latency: .seconds(1))
        let stage = ScreenStage(shop.effects)
        stage.send(.load)
        stage.scheduler.run()
        stage.play("rrrrr")
        #expect(shop.asked == ["catalogue", "catalogue"])
    }

    @Test("while something loads, keys that would have to wait do nothing, then or later")
    func busyKeys() {
        let stage = stage(latency: .seconds(60))
        stage.send(.load)
        stage.scheduler.run()
        stage.type("r")
        stage.type("aaaaadnp")
        stage.play("\u{1B}")
        #expect(stage.text.contains("1 of 3") && stage.text.contains("Cart: empty"))
        stage.type("a")
        stage.type("aaaan")
        #expect(stage.text.contains("Loading…"))
        stage.scheduler.run()
        #expect(stage.text.contains("1 of 3") && stage.text.contains("Cart: 1 piece"))
    }

    @Test("a remembered product, while the fresh one is on its way, counts as loading")
    func busyRemembered() {
        let shop = FakeShop(latency: .seconds(60))
        shop.remember([.a, .b])
        let stage = ScreenStage(shop.effects)
        stage.send(.load)
        stage.scheduler.advance(by: .seconds(1))
        stage.type("an")
        #expect(stage.text.contains("Loading…") && stage.text.contains("1 of 2"))
        stage.scheduler.run()
        #expect(stage.text.contains("Cart: empty") && stage.text.contains("1 of 3"))
    }

    @Test("a key that needs a product, before there is one, says what to do")
    func nothingLoaded() {
        let stage = stage(failing: [1])
        stage.send(.load)
        stage.scheduler.run()
        for key in ["a", "d", "n", "p"] {
            stage.play(key)
            #expect(stage.text.contains("Nothing is loaded yet. Press r to load, q to quit."))
        }
        stage.play("r")
        #expect(stage.text.contains("Apple"))
    }

    @Test("a failed refresh keeps what was shown, and the next one mends it")
    func recovery() {
        let stage = stage(failing: [2], cart: [.a])
        stage.send(.load)
        stage.scheduler.run()
        stage.play("r")
        #expect(stage.text.contains("Error: shop: out of order"))
        #expect(stage.text.contains("The page is as it was before. Press r to try again, q to quit."))
        #expect(stage.text.contains("Apple") && stage.text.contains("Cart: 1 piece, 1.00 EUR"))
        stage.play("r")
        #expect(!stage.text.contains("Error"))
    }

    @Test("hidden it writes nothing and turns no spinner; shown again it draws everything anew")
    func hiding() {
        let stage = stage(latency: .seconds(10))
        stage.send(.load)
        stage.terminal.hide()
        _ = stage.written()
        stage.scheduler.advance(by: .seconds(3))
        #expect(stage.written() == "")
        stage.terminal.reveal(ScreenSize(columns: 80, rows: 24))
        #expect(stage.text.contains("Loading… 3.0\u{A0}s"))
        stage.scheduler.run()
        #expect(stage.text.contains("Apple"))
    }

    @Test("q and Ctrl-D quit, and every other key does not")
    func quitting() {
        for key in ["q", "Q", "\u{4}"] {
            let stage = stage()
            stage.type("xyz19\t\r\u{7F}")
            #expect(stage.terminal.quit.result == nil)
            stage.type(key)
            #expect(stage.terminal.quit.result != nil)
        }
    }

    @Test("every size has a frame of that size, from one cell on, in every state and panel")
    func sizes() {
        for columns in [1, 2, 3, 19, 20, 39, 40, 41, 80] {
            for rows in isStress ? Array(1...12) : [1, 2, 3, 7, 12] {
                for state in Pair.states {
                    for panel in [Presentation.Panel.product, .cart, .help] {
                        var view = TerminalView(
                            state: state, presentation: Presentation(panel: panel),
                            size: ScreenSize(columns: columns, rows: rows))
                        #expect(rows < 2 || view.frame.lines[0].width > 0)
                        view.presentation.scroll = 3
                        #expect(view.frame.lines.count == rows)
                        #expect(view.frame.lines.allSatisfy { $0.width <= columns })
                    }
                }
            }
        }
    }

    @Test("the help names every key, and every key has one command")
    func help() {
        let stage = stage(rows: 60)
        stage.play("?")
        var seen: Set<Key> = []
        for command in KeyCommand.allCases {
            #expect(!command.purpose.isEmpty && stage.text.contains(command.purpose))
            for key in command.keys {
                #expect(seen.insert(key).inserted)
                #expect(KeyCommand(key) == command)
                #expect(stage.text.contains(key.name))
            }
        }
    }
}
