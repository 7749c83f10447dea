// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of UIKit as the library's pages name, declared as there, without the classes of Objective-C above it.

@_exported public import Foundation

// MARK: Views

@MainActor
open class UIResponder {
    public init() {}
}

@MainActor
open class UIView: UIResponder {
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    open func addSubview(_ view: UIView) {}
    open class func animate(withDuration duration: TimeInterval, animations: @escaping () -> Void) {}
}

public typealias UIActionHandler = @MainActor (_ action: UIAction) -> Void

@MainActor
open class UIAction {
    public convenience init(title: String = "", handler: @escaping UIActionHandler) { self.init() }
}

@MainActor
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let editingChanged = Event(rawValue: 1)
        public static let editingDidEndOnExit = Event(rawValue: 2)
    }

    open func addAction(_ action: UIAction, for controlEvents: Event) {}
}

@MainActor
open class UITextField: UIControl {
    open var text: String?
    open var placeholder: String?
}

@MainActor
open class UIBarButtonItem {
    public enum SystemItem: Int, Sendable { case done, cancel, save, add }

    public convenience init(systemItem: SystemItem, primaryAction: UIAction? = nil) { self.init() }
}

@MainActor
open class UINavigationItem {
    open var title: String?
    open var rightBarButtonItem: UIBarButtonItem?
}

// MARK: View controllers

@MainActor
open class UIPresentationController {
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

@MainActor
open class UIViewController: UIResponder {
    public init(nibName: String?, bundle: Bundle?) {}
    public required init?(coder: NSCoder) {}
    open var view: UIView! = nil
    open var title: String?
    open var isBeingDismissed: Bool { fatalError() }
    open var navigationItem: UINavigationItem { fatalError() }
    open var presentedViewController: UIViewController? { fatalError() }
    open var presentationController: UIPresentationController? { fatalError() }
    open func loadView() {}
    open func viewDidLoad() {}
    open func present(
        _ controller: UIViewController, animated flag: Bool, completion: (@MainActor () -> Void)? = nil
    ) {}
    open func dismiss(animated flag: Bool, completion: (@MainActor () -> Void)? = nil) {}
}

@MainActor
open class UINavigationController: UIViewController {
    public init(rootViewController: UIViewController) { super.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { fatalError() }
}

@MainActor
open class UIWindow: UIView {
    public init(windowScene: UIWindowScene) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { fatalError() }
    open var rootViewController: UIViewController?
    open func makeKeyAndVisible() {}
}

@MainActor
open class UIScene {
    open class ConnectionOptions {}
}

@MainActor
open class UIWindowScene: UIScene {}

@MainActor
open class UISceneSession {}

@MainActor
public protocol UIWindowSceneDelegate: AnyObject {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions)
}

// MARK: Tables

public struct UIListContentConfiguration: UIContentConfiguration {
    public var text: String?
}

public protocol UIContentConfiguration {}

@MainActor
open class UITableViewCell: UIView {
    public enum AccessoryType: Int, Sendable { case none, checkmark }

    public enum CellStyle: Int, Sendable { case `default` }

    public init(style: CellStyle, reuseIdentifier: String?) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { fatalError() }
    open var accessoryType = AccessoryType.none
    open var contentConfiguration: (any UIContentConfiguration)?
    open func defaultContentConfiguration() -> UIListContentConfiguration { fatalError() }
}

@MainActor
open class UITableView: UIView {
    public enum Style: Int, Sendable { case plain, insetGrouped }

    open var tableHeaderView: UIView?
    open func register(_ cellClass: AnyClass?, forCellReuseIdentifier identifier: String) {}
    open func dequeueReusableCell(withIdentifier: String, for indexPath: IndexPath) -> UITableViewCell {
        fatalError()
    }
    open func deselectRow(at indexPath: IndexPath, animated: Bool) {}
}

@MainActor
open class UITableViewController: UIViewController {
    public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
    public override init(nibName: String?, bundle: Bundle?) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var tableView: UITableView!
    open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
    open func tableView(
        _ tableView: UITableView, trailingSwipeActionsConfigurationForRowAt indexPath: IndexPath
    ) -> UISwipeActionsConfiguration? {
        nil
    }
}

@MainActor
open class UIContextualAction {
    public enum Style: Int, Sendable { case normal, destructive }
    public typealias Handler = @MainActor (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void

    public convenience init(style: Style, title: String?, handler: @escaping Handler) { self.init() }
}

@MainActor
open class UISwipeActionsConfiguration {
    public convenience init(actions: [UIContextualAction]) { self.init() }
}

@MainActor
open class UITableViewDiffableDataSource<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public typealias CellProvider = (
        _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
    ) -> UITableViewCell?

    public init(tableView: UITableView, cellProvider: @escaping CellProvider) {}
    open func apply(
        _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
        animatingDifferences: Bool = true, completion: (() -> Void)? = nil
    ) {}
    open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        fatalError()
    }
    open func itemIdentifier(for indexPath: IndexPath) -> ItemIdentifierType? { fatalError() }
}

public struct NSDiffableDataSourceSnapshot<
    SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
> {
    public init() {}
    public var itemIdentifiers: [ItemIdentifierType] { fatalError() }
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {}
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection section: SectionIdentifierType? = nil
    ) {}
}
