import TestSupport

@testable import PromisedSystem

/// The scope of a part, which always exists or is optional.
enum RandomScope<Whole: Level, Part: Level>: Sendable {
    case there(Scope<Whole, Whole.Event, Part, Part.Event>)
    case perhaps(Scope<Whole, Whole.Event, Part?, Part.Event>)

    func appending<Inner: Level>(_ inner: RandomScope<Part, Inner>) -> RandomScope<Whole, Inner> {
        switch (self, inner) {
        case (.there(let outer), .there(let inner)): .there(outer.appending(inner))
        case (.there(let outer), .perhaps(let inner)): .perhaps(outer.appending(inner))
        case (.perhaps(let outer), .there(let inner)): .perhaps(outer.appending(inner))
        case (.perhaps(let outer), .perhaps(let inner)): .perhaps(outer.appending(inner))
        }
    }

    /// The same scope with identity appended.
    var appendingIdentity: RandomScope {
        switch self {
        case .there(let scope): .there(scope.appending(Scope<Part, Part.Event, Part, Part.Event>.identity()))
        case .perhaps(let scope):
            .perhaps(scope.appending(Scope<Part?, Part.Event, Part?, Part.Event>.identity()))
        }
    }

    func get(_ whole: Whole) -> Part? {
        switch self {
        case .there(let scope): scope.get(whole)
        case .perhaps(let scope): scope.get(whole)
        }
    }

    func modify(_ whole: inout Whole, _ change: (inout Part?) -> Void) {
        switch self {
        case .perhaps(let scope): scope.modify(&whole, change)
        case .there(let scope):
            scope.modify(&whole) { part in
                var changed: Part? = part
                change(&changed)
                if let changed { part = changed }
            }
        }
    }

    func extract(_ event: Whole.Event) -> Part.Event? {
        switch self {
        case .there(let scope): scope.extract(event)
        case .perhaps(let scope): scope.extract(event)
        }
    }

    func embed(_ event: Part.Event) -> Whole.Event? {
        switch self {
        case .there(let scope): scope.embed(event)
        case .perhaps(let scope): scope.embed(event)
        }
    }

    func lift(_ feature: Feature<Part, Part.Event>) -> Feature<Whole, Whole.Event> {
        switch self {
        case .there(let scope): feature.lifted(by: scope)
        case .perhaps(let scope): feature.lifted(by: scope)
        }
    }

    /// The same, with the reducer, the feedback and the middleware lifted separately.
    func liftParts(
        _ reducer: Reducer<Part, Part.Event>, _ feedbacks: Feedback<Part, Part.Event>,
        _ middleware: Middleware<Part, Part.Event>
    ) -> Feature<Whole, Whole.Event> {
        switch self {
        case .there(let scope):
            Feature(
                reducer: reducer.lifted(by: scope), feedbacks: [feedbacks.lifted(by: scope)],
                middleware: middleware.lifted(by: scope))
        case .perhaps(let scope):
            Feature(
                reducer: reducer.lifted(by: scope), feedbacks: [feedbacks.lifted(by: scope)],
                middleware: middleware.lifted(by: scope))
        }
    }

    /// Two features of the part, made optional before they are combined.
    func liftOptional(
        _ left: Feature<Part, Part.Event>, _ right: Feature<Part, Part.Event>
    ) -> Feature<Whole, Whole.Event> {
        switch self {
        case .there: lift(left <> right)
        case .perhaps(let scope): (left.optional <> right.optional).lifted(by: scope)
        }
    }

    /// Subscribes to the part of a system.
    func read(
        _ system: System<Whole, Whole.Event>, replayCurrent: Bool = true,
        _ body: @escaping @Sendable (Part?) -> Void
    ) -> SubscriptionToken {
        switch self {
        case .there(let scope):
            system.scoped(by: scope).settled.subscribe(replayCurrent: replayCurrent) { body($0) }
        case .perhaps(let scope):
            system.scoped(by: scope).settled.subscribe(replayCurrent: replayCurrent) { body($0) }
        }
    }

    /// The same scope, which does not embed or extract one event of the part.
    func declining(_ declined: Part.Event) -> RandomScope {
        appending(
            .there(
                Scope(
                    get: { $0 }, modify: { $1(&$0) }, extract: { $0 == declined ? nil : $0 },
                    embed: { $0 == declined ? nil : $0 })))
    }
}

extension Storey {
    typealias Events = StoreyEvent<Inner>

    private static func event(_ form: Form) -> CasePath<Events, Inner.Event> {
        CasePath(embed: { .inner(form, $0) }) {
            if case .inner(form, let event) = $0 { event } else { nil }
        }
    }

    static var byID: CasePath<Events, (Int, Inner.Event)> {
        CasePath(embed: { .inner(.row($0.0), $0.1) }) {
            if case .inner(.row(let id), let event) = $0 { (id, event) } else { nil }
        }
    }

    static var byEntry: CasePath<Events, (Int, Inner.Event)> {
        CasePath(embed: { .inner(.entry($0.0), $0.1) }) {
            if case .inner(.entry(let id), let event) = $0 { (id, event) } else { nil }
        }
    }

    static var byPlace: CasePath<Events, (Int, Inner.Event)> {
        CasePath(embed: { .inner(.place($0.0), $0.1) }) {
            if case .inner(.place(let place), let event) = $0 { (place, event) } else { nil }
        }
    }

    static var byKey: CasePath<Events, (String, Inner.Event)> {
        CasePath(embed: { .inner(.named($0.0), $0.1) }) {
            if case .inner(.named(let key), let event) = $0 { (key, event) } else { nil }
        }
    }

    static var shown: CasePath<Destination<Inner>, Inner> {
        CasePath(embed: { .detail($0) }, extract: { if case .detail(let inner) = $0 { inner } else { nil } })
    }

    /// The scope of a part, as a program would write it.
    static func way(_ form: Form) -> RandomScope<Storey, Inner> {
        let event = event(form)
        switch form {
        case .plain: return .there(Scope(state: \.plain, event: event))
        case .mirrored: return .there(Scope(state: \.mirrored, event: event))
        case .chosen: return .perhaps(Scope(state: \.chosen, event: event))
        case .row(let id): return .perhaps(Scope(id: id, in: \.rows, event: byID))
        case .entry(let id): return .perhaps(Scope(id: id, in: \.entries, event: byEntry))
        case .place(let place): return .perhaps(Scope(index: place, in: \.places, event: byPlace))
        case .named(let key): return .perhaps(Scope(key: key, in: \.named, event: byKey))
        case .detail:
            let screen = Scope<Storey, Events, Destination<Inner>, Events>(
                get: \.screen, modify: { $1(&$0.screen) }, extract: { $0 }, embed: { $0 })
            let detail = Scope<Destination<Inner>, Events, Inner?, Inner.Event>(state: shown, event: event)
            return .perhaps(screen.appending(detail))
        }
    }

    /// A feature of the parts, lifted to all parts of a family.
    static func lift(_ feature: Feature<Inner, Inner.Event>, toAll family: Form.Family) -> Feature<
        Storey, Events
    > {
        switch family {
        case .plain: way(.plain).lift(feature)
        case .mirrored: way(.mirrored).lift(feature)
        case .chosen: way(.chosen).lift(feature)
        case .detail: way(.detail).lift(feature)
        case .row: feature.lifted(byEach: Elements(in: \Storey.rows, event: byID))
        case .entry: feature.lifted(byEach: Elements(in: \Storey.entries, event: byEntry))
        case .place: feature.lifted(byEach: Elements(indexedIn: \Storey.places, event: byPlace))
        case .named: feature.lifted(byEach: Elements(keyedIn: \Storey.named, event: byKey))
        }
    }
}
