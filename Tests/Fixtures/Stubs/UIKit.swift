// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of UIKit as the library and its pages name, declared as there.
//
// Written from: SDK of iOS 18.0, UIKit.framework/Modules/UIKit.swiftmodule/arm64-apple-ios.swiftinterface (actions, cells'
// content, data sources and their snapshots); and for what it imports from Objective-C, the declarations on
// developer.apple.com/documentation/uikit, as of 2026. Here classes have no NSObject above them, and what is optional in
// a protocol has an implementation.

@_exported public import Foundation

// MARK: Views

@MainActor @preconcurrency
open class UIResponder {
    public init() {}
}

open class UIColor: @unchecked Sendable {
    open class var systemBackground: UIColor { fatalError() }
}

@MainActor @preconcurrency
open class UIView: UIResponder {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open var window: UIWindow? { fatalError() }
    open var backgroundColor: UIColor?
    open func addSubview(_ view: UIView) {}
    open class func animate(withDuration duration: TimeInterval, animations: @escaping () -> Void) {}
}

public typealias UIActionHandler = (_ action: UIAction) -> Void

@MainActor @preconcurrency
open class UIAction {
    public convenience init(title: String = "", handler: @escaping UIActionHandler) { self.init() }
}

@MainActor @preconcurrency
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var editingChanged: Event { Event(rawValue: 1 << 17) }
        public static var editingDidEndOnExit: Event { Event(rawValue: 1 << 19) }
    }

    open func addAction(_ action: UIAction, for controlEvents: Event) {}
}

public enum UIReturnKeyType: Int, Sendable { case `default`, done = 9 }

@MainActor @preconcurrency
open class UITextField: UIControl {
    public enum BorderStyle: Int, Sendable { case none, line, bezel, roundedRect }

    open var text: String?
    open var placeholder: String?
    open var borderStyle = BorderStyle.none
    open var returnKeyType = UIReturnKeyType.default
}

// MARK: Layout

@MainActor @preconcurrency
open class NSLayoutConstraint {
    open class func activate(_ constraints: [NSLayoutConstraint]) {}
}

@MainActor @preconcurrency
open class NSLayoutAnchor<AnchorType: AnyObject> {
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>) -> NSLayoutConstraint { fatalError() }
    open func constraint(equalTo anchor: NSLayoutAnchor<AnchorType>, constant c: CGFloat)
        -> NSLayoutConstraint
    {
        fatalError()
    }
}

@MainActor @preconcurrency
open class NSLayoutXAxisAnchor: NSLayoutAnchor<NSLayoutXAxisAnchor> {}

@MainActor @preconcurrency
open class NSLayoutYAxisAnchor: NSLayoutAnchor<NSLayoutYAxisAnchor> {}

@MainActor @preconcurrency
open class UILayoutGuide {
    open var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
    open var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
    open var topAnchor: NSLayoutYAxisAnchor { fatalError() }
}

extension UIView {
    public var translatesAutoresizingMaskIntoConstraints: Bool {
        get { fatalError() }
        set {}
    }
    public var layoutMarginsGuide: UILayoutGuide { fatalError() }
    public var leadingAnchor: NSLayoutXAxisAnchor { fatalError() }
    public var trailingAnchor: NSLayoutXAxisAnchor { fatalError() }
    public var topAnchor: NSLayoutYAxisAnchor { fatalError() }
}

// MARK: View controllers

@MainActor @preconcurrency
open class UIPresentationController {
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor @preconcurrency
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
}

@MainActor @preconcurrency
open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) {}
    open var view: UIView! = nil
    open var title: String?
    open var isBeingPresented: Bool { fatalError() }
    open var isBeingDismissed: Bool { fatalError() }
    open var presentedViewController: UIViewController? { fatalError() }
    open var presentationController: UIPresentationController? { fatalError() }
    open func viewDidLoad() {}
    open func viewDidAppear(_ animated: Bool) {}
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor @preconcurrency
open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder aDecoder: NSCoder) { fatalError() }
}

@MainActor @preconcurrency
open class UIWindow: UIView {
    public init(windowScene: UIWindowScene) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { fatalError() }
    open var rootViewController: UIViewController?
    open func makeKeyAndVisible() {}
}

@MainActor @preconcurrency
open class UIScene: UIResponder {
    @MainActor @preconcurrency
    open class ConnectionOptions {}
}

@MainActor @preconcurrency
open class UIWindowScene: UIScene {}

@MainActor @preconcurrency
open class UISceneSession {}

@MainActor @preconcurrency
public protocol UISceneDelegate: AnyObject {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
}

@MainActor @preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

// MARK: Tables

public protocol UIContentConfiguration {}

public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
}

@available(*, unavailable)
extension UIListContentConfiguration: Sendable {}

@MainActor @preconcurrency
open class UITableViewCell: UIView {
    public enum AccessoryType: Int, Sendable {
        case none, disclosureIndicator, detailDisclosureButton, checkmark
    }

    public enum CellStyle: Int, Sendable { case `default` }

    public init(style: CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { fatalError() }
    open var accessoryType = AccessoryType.none
}

extension UITableViewCell {
    public var contentConfiguration: (any UIContentConfiguration)? {
        get { fatalError() }
        set {}
    }
    public func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
}

@MainActor @preconcurrency
public protocol UITableViewDataSource: AnyObject {
    func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
    func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
    func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool
}

@MainActor @preconcurrency
public protocol UITableViewDelegate: AnyObject {
    func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath)
    func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration?
}

@MainActor @preconcurrency
open class UITableView: UIView {
    public enum Style: Int, Sendable { case plain, grouped, insetGrouped }

    open var tableHeaderView: UIView?
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    open func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
        -> UITableViewCell
    {
        fatalError()
    }
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}
}

@MainActor @preconcurrency
open class UITableViewController: UIViewController, UITableViewDelegate {
    public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var tableView: UITableView!
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    open func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        nil
    }
}

@MainActor @preconcurrency
open class UIContextualAction {
    public enum Style: Int, Sendable { case normal, destructive }
    public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    public convenience init(style: Style, title: String?, handler: @escaping Handler) { self.init() }
}

@MainActor @preconcurrency
open class UISwipeActionsConfiguration {
    public convenience init(actions: [UIContextualAction]) { self.init() }
}

@MainActor @preconcurrency
open class UITableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: UITableViewDataSource {
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {}
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true
    ) async {}
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        fatalError()
    }
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { fatalError() }
    open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { fatalError() }
    open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
        fatalError()
    }
    open func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
}

@preconcurrency
public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: @unchecked Sendable {
    public init() {}
    public var itemIdentifiers: [ItemIdentifierType] { fatalError() }
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {}
}
