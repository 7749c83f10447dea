import PromisedSystem
import SwiftUI
import UIKit
import XCTest

@testable import Screens

// The screens of the pages, on a device: `.ci/screens` makes a package of the pages' code and this. XCTest, because it
// runs tests on the main thread, and waits there while the thread draws.

@MainActor
private func shoppingList() -> System<Shopping.State, Shopping.Event> {
    System(
        initialState: Shopping.State(), scheduler: .main,
        feature: Shopping.feature { text in .value(["tea", "toast"].filter { $0.hasPrefix(text) }) })
}

/// A view that calls a closure whenever SwiftUI asks for its body.
private struct Watched<Content: View>: View {
    let content: Content
    let isDrawn: @MainActor () -> Void

    var body: some View {
        let _ = isDrawn()
        content
    }
}

final class SwiftUIScreenTests: XCTestCase {
    @MainActor
    func testTheListIsDrawnAgainForARow() {
        let shopping = shoppingList().scoped()
        let drawn = ["empty", "with a row", "without it"].map { expectation(description: $0) }
        for drawing in drawn { drawing.assertForOverFulfill = false }
        var step = 0
        let list = Watched(content: ShoppingView(shopping: shopping)) {
            if shopping.settled.itemIDs == [[], [1], []][step] { drawn[step].fulfill() }
        }
        let screen = Screen(list)
        for event: Shopping.Event in [.typed("te"), .add("tea"), .remove(1)] {
            if case .typed = event {} else { step += 1 }
            shopping.sendEvent(event)
            screen.layOut()
            wait(for: [drawn[step]], timeout: 60)
        }
    }

    @MainActor
    func testTheEditorIsDrawnAgainForItsName() {
        let shopping = shoppingList().scoped()
        for event: Shopping.Event in [.add("tea"), .edit(1)] { shopping.sendEvent(event) }
        guard let state = shopping.state.editor else { return XCTFail("There is no editor.") }
        let editor = shopping.scoped(by: Shopping.editor).unwrapped(or: state)
        let drawn = expectation(description: "the new name")
        drawn.assertForOverFulfill = false
        let view = EditorView(editor: editor, save: { shopping.sendEvent(.save) })
        let screen = Screen(
            Watched(content: view) { if editor.settled.name == "green tea" { drawn.fulfill() } })
        editor.sendEvent(.typed("green tea"))
        screen.layOut()
        wait(for: [drawn], timeout: 60)
    }
}

final class UIKitScreenTests: XCTestCase {
    @MainActor
    func testTheListHasTheRowsOfTheState() {
        let shopping = shoppingList().scoped()
        let screen = Screen(ShoppingController(shopping))
        let empty = screen.rows
        for (event, rows) in [(Shopping.Event.add("tea"), 1), (.add("toast"), 2), (.remove(1), 1)] {
            shopping.sendEvent(event)
            screen.layOut(in: self)
            XCTAssertEqual(screen.rows - empty, rows)
        }
    }

    @MainActor
    func testARowIsAddedAndDeletedOnTheScreen() throws {
        let shopping = shoppingList().scoped()
        let screen = Screen(ShoppingController(shopping))
        XCTAssertGreaterThan(screen.fieldSize.height, 20)
        screen.enter("tea")
        XCTAssertEqual(shopping.state.items.map(\.name), ["tea"])
        screen.layOut(in: self)
        let actions = screen.actions(ofRow: 0)
        XCTAssertEqual(actions.keys.sorted(), ["Delete", "Rename"])
        try XCTUnwrap(actions["Delete"])()
        XCTAssertEqual(shopping.state.items, [])
    }

    @MainActor
    func testARowIsRenamedOnTheScreen() {
        let shopping = shoppingList().scoped()
        for event: Shopping.Event in [.add("tea"), .edit(1)] { shopping.sendEvent(event) }
        guard let state = shopping.state.editor else { return XCTFail("There is no editor.") }
        let editor = shopping.scoped(by: Shopping.editor).unwrapped(or: state)
        let screen = Screen(EditorController(editor, save: { shopping.sendEvent(.save) }))
        XCTAssertGreaterThan(screen.fieldSize.width, 100)
        XCTAssertGreaterThan(screen.fieldSize.height, 20)
        screen.enter("green tea")
        XCTAssertEqual(shopping.state.items.map(\.name), ["green tea"])
    }

    @MainActor
    func testTheEditorShowsTheName() {
        let shopping = shoppingList().scoped()
        for event: Shopping.Event in [.add("tea"), .edit(1)] { shopping.sendEvent(event) }
        guard let state = shopping.state.editor else { return XCTFail("There is no editor.") }
        let editor = shopping.scoped(by: Shopping.editor).unwrapped(or: state)
        let screen = Screen(EditorController(editor, save: { shopping.sendEvent(.save) }))
        XCTAssertEqual(screen.text, "tea")
        editor.sendEvent(.typed("green tea"))
        screen.layOut(in: self)
        XCTAssertEqual(screen.text, "green tea")
    }
}
