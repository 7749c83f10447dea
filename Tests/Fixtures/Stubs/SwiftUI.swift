// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of SwiftUI as the library and its pages name, declared as there.
//
// Written from: SDK of iOS 18.0, SwiftUI.framework and SwiftUICore.framework, their arm64-apple-ios.swiftinterface, as
// published, and for what is newer (`refreshable`), developer.apple.com/documentation/swiftui as of 2026. Each title is
// a `LocalizedStringKey` first, so that only what that can format is interpolated. Of several forms of one function
// those are here that are used.
//
// Nothing is drawn. But a binding reads its value when it is created, and views call their builders at once, as if all
// of a view were on the screen: so that a test can see what a body reads.

public import Foundation
public import Observation

// MARK: Data

@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value, Transaction) -> Void
    public var transaction = Transaction()

    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue, transaction) }
    }

    public var projectedValue: Binding<Value> { self }

    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {
        let set = unsafeBitCast(set, to: ((Value) -> Void).self)
        self.init(reading: unsafeBitCast(get, to: (() -> Value).self)) { value, _ in set(value) }
    }

    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value, Transaction) -> Void
    ) {
        self.init(
            reading: unsafeBitCast(get, to: (() -> Value).self),
            unsafeBitCast(set, to: ((Value, Transaction) -> Void).self))
    }

    init(reading get: @escaping () -> Value, _ set: @escaping (Value, Transaction) -> Void) {
        (self.get, self.set) = (get, set)
        _ = get()
    }

    public init<V>(_ base: Binding<V>) where Value == V? {
        self.init(reading: { base.wrappedValue }) { value, _ in if let value { base.wrappedValue = value } }
    }

    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var binding = self
        binding.transaction = transaction
        return binding
    }

    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        var transaction = transaction
        transaction.animation = animation
        return self.transaction(transaction)
    }

    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
        Binding<Subject>(reading: { wrappedValue[keyPath: keyPath] }) { value, _ in
            wrappedValue[keyPath: keyPath] = value
        }
    }

    public static func constant(_ value: Value) -> Binding<Value> { Binding(reading: { value }) { _, _ in } }
}

extension Binding: @unchecked Sendable where Value: Sendable {}
extension Binding: DynamicProperty {}

public protocol DynamicProperty {
    mutating func update()
}

extension DynamicProperty {
    public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty {
    private final class Box {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private let box: Box

    public init(wrappedValue value: Value) { box = Box(value) }

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    public var projectedValue: Binding<Value> {
        Binding(reading: { [box] in box.value }) { [box] value, _ in box.value = value }
    }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}

extension State: @unchecked Sendable where Value: Sendable {}

@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    @propertyWrapper
    public struct Binding {
        public var wrappedValue: Value {
            get { fatalError() }
            nonmutating set {}
        }

        public var projectedValue: FocusState<Value>.Binding { self }

        init(_ value: State<Value>) {}
    }

    private let value: State<Value>

    public var wrappedValue: Value {
        get { value.wrappedValue }
        nonmutating set { value.wrappedValue = newValue }
    }

    public var projectedValue: FocusState<Value>.Binding { Binding(value) }

    public init() where Value == Bool { value = State(wrappedValue: false) }
    public init<T>() where Value == T?, T: Hashable { value = State(wrappedValue: nil) }
}

// MARK: Environment

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public init() {}

    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { K.defaultValue }
        set {}
    }

    public var scenePhase: ScenePhase {
        get { .active }
        set {}
    }
}

@available(*, unavailable)
extension EnvironmentValues: Sendable {}

@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private let value: () -> Value

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {
        value = { EnvironmentValues()[keyPath: keyPath] }
    }

    public var wrappedValue: Value { value() }
}

extension Environment {
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {
        value = { fatalError() }
    }
    public init<T>(_ objectType: T.Type) where Value == T?, T: AnyObject, T: Observable { value = { nil } }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

// MARK: Animations

public struct Animation: Equatable, Sendable {
    public static let `default` = Animation()
    public static var spring: Animation { Animation() }
    public static func easeInOut(duration: TimeInterval) -> Animation { Animation() }
}

public struct Transaction {
    public var animation: Animation?
    public var disablesAnimations = false
    public init() {}
}

@available(*, unavailable)
extension Transaction: Sendable {}

public func withAnimation<Result>(
    _ animation: Animation? = .default, _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

public func withTransaction<Result>(
    _ transaction: Transaction, _ body: () throws -> Result
) rethrows -> Result {
    try body()
}

// MARK: Views and what holds them

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// Not in SwiftUI: what these have in common there is not public.
public protocol PrimitiveView: View where Body == Never {}

extension PrimitiveView {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent()
    }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> {
        _ConditionalContent()
    }
}

public struct EmptyView: PrimitiveView {
    public nonisolated init() {}
}

public struct TupleView<T>: PrimitiveView {
    nonisolated init() {}
}

public struct _ConditionalContent<TrueContent, FalseContent>: PrimitiveView {
    nonisolated init() {}
}

@MainActor @preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
    typealias Content = _ViewModifier_Content<Self>
}

public struct _ViewModifier_Content<Modifier: ViewModifier>: PrimitiveView {
    @_spi(Evaluating) public nonisolated init() {}
}

public struct ModifiedContent<Content, Modifier> {
    public var content: Content
    public var modifier: Modifier
    public nonisolated init(content: Content, modifier: Modifier) {
        (self.content, self.modifier) = (content, modifier)
    }
}

extension ModifiedContent: View, PrimitiveView where Content: View, Modifier: ViewModifier {}

public struct EquatableView<Content: Equatable & View>: PrimitiveView {
    public nonisolated init(content: Content) {}
}

@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) { _ = content() }
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    @MainActor @preconcurrency
    public static func main() {}
}

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

/// Its arguments are checked; it expands to nothing.
@freestanding(declaration)
public macro Preview(
    _ name: String? = nil, @ViewBuilder body: @escaping @MainActor () -> any View
) = #externalMacro(module: "PreviewsMacros", type: "SwiftUIView")

// MARK: Texts

/// A type that `LocalizedStringKey` can format.
public protocol _FormatSpecifiable: Equatable {}

extension Int: _FormatSpecifiable {}
extension Double: _FormatSpecifiable {}

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
    public init(_ value: String) {}
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: StringInterpolation) {}

    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation(_ string: String) {}
        public mutating func appendInterpolation<T: _FormatSpecifiable>(_ value: T) {}
        public mutating func appendInterpolation(_ text: Text) {}
    }
}

@available(*, unavailable)
extension LocalizedStringKey: Sendable {}

public struct Text: Equatable, Sendable, PrimitiveView {
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ content: S) {}
    public nonisolated init(_ key: LocalizedStringKey) {}
    public nonisolated func strikethrough(_ isActive: Bool = true) -> Text { self }
}

public enum Visibility: Hashable, Sendable { case automatic, visible, hidden }

// MARK: Controls

public struct Color: Hashable, Sendable, PrimitiveView {
    nonisolated init() {}
    public static let clear = Color()
}

public struct ProgressView: PrimitiveView {
    public nonisolated init() {}
}

public struct TextField<Label: View>: PrimitiveView {}

extension TextField where Label == Text {
    public nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ title: S, text: Binding<String>) {}
}

public struct Toggle<Label: View>: PrimitiveView {}

extension Toggle where Label == Text {
    public nonisolated init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) {}
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
}

public struct ButtonRole: Equatable, Sendable {
    private let name: String
    public static let destructive = ButtonRole(name: "destructive")
    public static let cancel = ButtonRole(name: "cancel")
}

public struct Button<Label: View>: PrimitiveView {
    @preconcurrency
    public nonisolated init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
        _ = label()
    }
}

extension Button where Label == Text {
    @preconcurrency
    public nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
    @preconcurrency @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
    @preconcurrency
    public nonisolated init(
        _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) {}
    @preconcurrency @_disfavoredOverload
    public nonisolated init<S: StringProtocol>(
        _ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void
    ) {}
}

public enum HorizontalAlignment: Hashable, Sendable { case leading, center, trailing }
public enum VerticalAlignment: Hashable, Sendable { case top, center, bottom }

public struct HStack<Content: View>: PrimitiveView {
    public nonisolated init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        _ = content()
    }
}

public struct VStack<Content: View>: PrimitiveView {
    public nonisolated init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        _ = content()
    }
}

public struct Form<Content: View>: PrimitiveView {
    public nonisolated init(@ViewBuilder content: () -> Content) { _ = content() }
}

public struct Section<Parent, Content, Footer>: PrimitiveView {}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
    public nonisolated init(@ViewBuilder content: () -> Content) { _ = content() }
}

public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {}

extension List where SelectionValue == Never {
    public nonisolated init(@ViewBuilder content: () -> Content) { _ = content() }

    public nonisolated init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        for element in data { _ = rowContent(element) }
    }

    public nonisolated init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        for element in data { _ = rowContent(element) }
    }
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content

    init(calling content: @escaping (Data.Element) -> Content, for data: Data) {
        (self.data, self.content) = (data, content)
        for element in data { _ = content(element) }
    }
}

extension ForEach: View, PrimitiveView where Content: View {}

extension ForEach where Content: View {
    public nonisolated init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(calling: content, for: data)
    }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(calling: content, for: data)
    }
}

public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent where Content: View {}

extension DynamicViewContent {
    public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent {
        self
    }
    public nonisolated func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent {
        self
    }
}

// MARK: Navigation

public struct NavigationPath {
    public init() {}
}

@MainActor @preconcurrency
public struct NavigationStack<Data, Root: View>: PrimitiveView {
    public nonisolated init(@ViewBuilder root: () -> Root) where Data == NavigationPath { _ = root() }
    public nonisolated init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection,
        Data.Element: Hashable
    {
        _ = root()
    }
}

public struct NavigationLink<Label: View, Destination: View>: PrimitiveView {
    public nonisolated init(
        @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) {
        _ = (destination(), label())
    }
}

extension NavigationLink where Destination == Never {
    public nonisolated init<P: Hashable>(value: P?, @ViewBuilder label: () -> Label) { _ = label() }
    public nonisolated init<P: Hashable>(_ titleKey: LocalizedStringKey, value: P?) where Label == Text {}
    @_disfavoredOverload
    public nonisolated init<S: StringProtocol, P: Hashable>(_ title: S, value: P?) where Label == Text {}
}

extension View {
    public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }
    @_disfavoredOverload
    public nonisolated func navigationTitle<S: StringProtocol>(_ title: S) -> some View { self }

    public nonisolated func navigationDestination<D: Hashable, C: View>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View {
        self
    }
}

// MARK: Presentations

extension View {
    public nonisolated func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View {
        _ = item.wrappedValue.map(content)
        return self
    }

    public nonisolated func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View {
        _ = isPresented.wrappedValue ? content() : nil
        return self
    }

    public nonisolated func alert<A: View>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View {
        _ = actions()
        return self
    }

    @_disfavoredOverload
    public nonisolated func alert<S: StringProtocol, A: View>(
        _ title: S, isPresented: Binding<Bool>, @ViewBuilder actions: () -> A
    ) -> some View {
        _ = actions()
        return self
    }

    public nonisolated func alert<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, presenting data: T?,
        @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View {
        _ = data.map { (actions($0), message($0)) }
        return self
    }

    public nonisolated func confirmationDialog<A: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: (T) -> A
    ) -> some View {
        _ = data.map(actions)
        return self
    }

    public nonisolated func confirmationDialog<A: View, M: View, T>(
        _ titleKey: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
        presenting data: T?, @ViewBuilder actions: (T) -> A, @ViewBuilder message: (T) -> M
    ) -> some View {
        _ = data.map { (actions($0), message($0)) }
        return self
    }
}

// MARK: Modifiers

public struct SubmitTriggers: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let text = SubmitTriggers(rawValue: 1)
}

public enum HorizontalEdge: Int8, CaseIterable, Codable, Sendable { case leading, trailing }

extension View {
    public nonisolated func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }

    public nonisolated func onSubmit(
        of triggers: SubmitTriggers = .text, _ action: @escaping () -> Void
    ) -> some View {
        self
    }

    @preconcurrency
    public nonisolated func onAppear(perform action: (@MainActor () -> Void)? = nil) -> some View { self }

    @preconcurrency
    public nonisolated func onDisappear(perform action: (@MainActor () -> Void)? = nil) -> some View { self }

    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        self
    }

    public nonisolated func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping () -> Void
    ) -> some View {
        self
    }

    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        self
    }

    public nonisolated func task<T: Equatable>(
        id value: T, priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @Sendable () async -> Void
    ) -> some View {
        self
    }

    @preconcurrency
    public nonisolated func refreshable(
        action: nonisolated(nonsending) @escaping @Sendable () async -> Void
    ) -> some View {
        self
    }

    public nonisolated func searchable(text: Binding<String>) -> some View { self }

    public nonisolated func swipeActions<T: View>(
        edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
    ) -> some View {
        _ = content()
        return self
    }

    public nonisolated func animation<V: Equatable>(_ animation: Animation?, value: V) -> some View { self }

    public nonisolated func focused<Value: Hashable>(
        _ binding: FocusState<Value>.Binding, equals value: Value
    ) -> some View {
        self
    }

    public nonisolated func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View {
        self
    }

    public nonisolated func environment<T: AnyObject & Observable>(_ object: T?) -> some View { self }
}

extension View where Self: Equatable {
    public nonisolated func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
