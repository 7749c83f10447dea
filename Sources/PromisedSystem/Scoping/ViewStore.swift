public import Observation
internal import Promise

/// An observable store for a view: exposes the shown state of a system, or of a part of one, on the main thread.
///
/// ```swift
/// import Observation
///
/// struct Page { var title = "Tea", visits = 0 }
/// enum Event { case visit, rename(String) }
///
/// let system = System(
///     initialState: Page(), scheduler: .immediate,
///     reducer: Reducer<Page, Event> { page, event in
///         switch event {
///         case .visit: page.visits += 1
///         case .rename(let title): page.title = title
///         }
///     })
/// let page = ViewStore(system)
/// withObservationTracking { print(page.title) } onChange: { print("another title") }
/// page.sendEvent(.visit)
/// page.binding(\.title, Event.rename).value = "Coffee"
/// ```
///
/// It needs no initial value: it begins with the state shown when it is created, and from then on has the state that
/// was delivered last on the main thread, whichever scheduler the system uses. Loading states are included;
/// ``isLoading`` distinguishes them. In SwiftUI, store it in a `@State` property of the view, or create it in the view
/// that presents this one.
///
/// It retains the system, and can be passed to any thread.
@dynamicMemberLookup
public final class ViewStore<State: Sendable, Event: Sendable>: Observable, Sendable {
    private let shown: Source<Shown<State>>
    private let states: Source<State>
    private let system: ScopedSystem<State, Event>

    /// Creates a store of a part of a system, or of a test double.
    ///
    /// - Parameter system: Where the state comes from and events are sent to.
    public init(_ system: ScopedSystem<State, Event>) {
        self.system = system
        shown = system.shown.receive(on: .main)
        states = shown.part({ $0.state }, at: .property(\Shown<State>.state))
    }

    /// Creates a store of a whole system.
    ///
    /// - Parameter system: Where the state comes from and events are sent to.
    public convenience init(_ system: System<State, Event>) { self.init(system.scoped()) }

    /// The shown state.
    ///
    /// Read under observation, it is tracked for every change. A property that is read through this object, as in
    /// `page.title`, is tracked only for changes that make that property unequal.
    public var state: State { states.value }

    /// Whether the state is an interim one, shown while a transition is in flight.
    public var isLoading: Bool { shown.isLoading }

    /// A property of the shown state, tracked by itself.
    public subscript<Member: Equatable & SendableMetatype>(
        dynamicMember part: any KeyPath<State, Member> & Sendable
    ) -> Member {
        states[dynamicMember: part]
    }

    /// A property of the shown state that cannot be compared: tracked for every change of the state.
    @_disfavoredOverload
    public subscript<Member>(dynamicMember part: any KeyPath<State, Member> & Sendable) -> Member {
        states[dynamicMember: part]
    }

    /// Sends an event to the system. Can be called from any thread.
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        system.sendEvent(event, file: file, line: line)
    }

    /// Creates a binding to a property of the shown state. Setting it sends an event.
    ///
    /// - Parameters:
    ///   - part: The property to read.
    ///   - event: Makes the event from the new value.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<State, Part> & Sendable, _ event: @escaping @Sendable (Part) -> Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Part> {
        states.binding(part) { [system] in system.sendEvent(event($0), file: file, line: line) }
    }
}
