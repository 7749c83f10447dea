public import Observation
internal import Promise

/// What a view holds: what a system, or a part of one, shows, read under observation and on the main thread.
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
/// It needs no initial value: it reads what is shown when it is made, and from then on what was delivered on the main
/// thread, wherever the system runs. Loading states are shown as any other; ``isLoading`` tells them apart. In SwiftUI,
/// hold it in a `@State` property of the view, or make it in the one that presents the view.
///
/// It keeps the system, and can be passed to any thread.
@dynamicMemberLookup
public final class ViewStore<State: Sendable, Event: Sendable>: Observable, Sendable {
    private let shown: Source<Shown<State>>
    private let states: Source<State>
    private let system: ScopedSystem<State, Event>

    /// - Parameter system: What to show, and to send to: all of a system, a part, or a stand-in.
    public init(_ system: ScopedSystem<State, Event>) {
        self.system = system
        shown = system.shown.receive(on: .main)
        states = shown.part({ $0.state }, at: .property(\Shown<State>.state))
    }

    /// - Parameter system: What to show, and to send to.
    public convenience init(_ system: System<State, Event>) { self.init(system.scoped()) }

    /// The state that is shown. Read under observation, it is told of every change; a property that is read as one of
    /// this object, as in `page.title`, only when that becomes unequal.
    public var state: State { states.value }

    /// Whether the state stands in for a result to come.
    public var isLoading: Bool { shown.isLoading }

    /// A property of the state that is shown.
    public subscript<Member: Equatable & SendableMetatype>(
        dynamicMember part: any KeyPath<State, Member> & Sendable
    ) -> Member {
        states[dynamicMember: part]
    }

    /// A property of the state that is shown, which cannot be compared: it is told of every change.
    @_disfavoredOverload
    public subscript<Member>(dynamicMember part: any KeyPath<State, Member> & Sendable) -> Member {
        states[dynamicMember: part]
    }

    /// Sends an event, from any thread.
    public func sendEvent(_ event: Event, file: StaticString = #fileID, line: UInt = #line) {
        system.sendEvent(event, file: file, line: line)
    }

    /// A property of the state that is shown, to be edited: what is written is sent.
    ///
    /// - Parameters:
    ///   - part: What is shown.
    ///   - event: Makes an event of what is written.
    public func binding<Part: Equatable & Sendable>(
        _ part: any KeyPath<State, Part> & Sendable, _ event: @escaping @Sendable (Part) -> Event,
        file: StaticString = #fileID, line: UInt = #line
    ) -> EventBinding<Part> {
        states.binding(part) { [system] in system.sendEvent(event($0), file: file, line: line) }
    }
}
