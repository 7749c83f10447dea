import SwiftUI
import UIKit
import XCTest

/// A window with a screen of the pages. It has no scene, because the tests run without an app: what it shows is laid out
/// and can be read, and nothing can be presented over it.
@MainActor
struct Screen {
    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
    private let controller: UIViewController

    init(_ controller: UIViewController) {
        self.controller = controller
        window.rootViewController = UINavigationController(rootViewController: controller)
        window.isHidden = false
        layOut()
    }

    init(_ view: some View) { self.init(UIHostingController(rootView: view)) }

    /// Lays out now, and again in a turn of the main queue, by which time SwiftUI knows what has changed.
    func layOut() {
        layOutNow()
        DispatchQueue.main.async { layOutNow() }
    }

    /// Lays out, and returns when what waits for the main queue now has run.
    func layOut(in test: XCTestCase) {
        layOut()
        let turn = test.expectation(description: "a turn of the main queue")
        DispatchQueue.main.async { turn.fulfill() }
        test.wait(for: [turn], timeout: 60)
    }

    private func layOutNow() {
        controller.view.setNeedsLayout()
        window.layoutIfNeeded()
    }

    /// The number of rows of the first table or collection in the screen.
    var rows: Int {
        if let table: UITableView = first(in: controller.view) {
            return (0..<table.numberOfSections).map(table.numberOfRows).reduce(0, +)
        }
        guard let list: UICollectionView = first(in: controller.view) else { return 0 }
        return (0..<list.numberOfSections).map(list.numberOfItems).reduce(0, +)
    }

    /// The text of the first field in the screen.
    var text: String? { field?.text }

    /// The size of the first field in the screen.
    var fieldSize: CGSize { field?.bounds.size ?? .zero }

    private var field: UITextField? { first(in: controller.view) }

    /// Writes into the first field in the screen, and presses the return key, as far as an app is told of it.
    func enter(_ text: String) {
        field?.text = text
        field?.sendActions(for: .editingChanged)
        field?.sendActions(for: .editingDidEndOnExit)
    }

    /// What a swipe over a row of the first table offers, by its titles: calls do what a tap does.
    func actions(ofRow row: Int) -> [String: () -> Void] {
        guard let table: UITableView = first(in: controller.view) else { return [:] }
        let path = IndexPath(row: row, section: 0)
        guard table.dataSource?.tableView?(table, canEditRowAt: path) == true else { return [:] }
        let swipe = table.delegate?.tableView?(table, trailingSwipeActionsConfigurationForRowAt: path)
        var calls: [String: () -> Void] = [:]
        for action in swipe?.actions ?? [] {
            calls[action.title ?? ""] = { action.handler(action, table, { _ in }) }
        }
        return calls
    }

    private func first<Found: UIView>(in view: UIView) -> Found? {
        if let found = view as? Found { return found }
        for part in view.subviews {
            if let found: Found = first(in: part) { return found }
        }
        return nil
    }
}
