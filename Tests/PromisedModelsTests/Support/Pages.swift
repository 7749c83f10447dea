import PromisedModels

struct Page: Model {
    struct State: Equatable {
        var sections: [Section.State] = []
        var cover: Item.State?
        var title = ""
    }
    let context: ModelContext<Page>
    static let children: [Child<Page>] = [.each(\.sections, Section.self), .optional(\.cover, Item.self)]
    var state: ModelState<Self> { context.state }
    var sections: [Section] { children(\.sections) }
    var cover: Item? { optionalChild(\.cover) }
}

struct Section: Model {
    struct State: Equatable, Identifiable {
        var id: Int
        var title = ""
        var items: [Item.State] = []
    }
    let context: ModelContext<Section>
    static let children: [Child<Section>] = [.each(\.items, Item.self)]
    var state: ModelState<Self> { context.state }
    var items: [Item] { children(\.items) }
    func onActivate() { note("+section \(state.id)") }
    func onDeactivate() { note("-section \(state.id)") }
}

struct Item: Model {
    struct State: Equatable, Identifiable {
        var id: Int
        var text = ""
    }
    enum Event: Equatable { case done }
    let context: ModelContext<Item>
    var state: ModelState<Self> { context.state }
    func onActivate() { note("+item \(state.id)") }
    func onDeactivate() { note("-item \(state.id)") }
}

struct Screen: Model {
    enum Place: Equatable {
        case edit(Row.State), count(Counter.State)

        static let edit = CasePath<Place, Row.State>(embed: Place.edit) {
            if case .edit(let row) = $0 { row } else { nil }
        }
        static let count = CasePath<Place, Counter.State>(embed: Place.count) {
            if case .count(let count) = $0 { count } else { nil }
        }
    }
    struct State: Equatable { var place: Place? }
    let context: ModelContext<Screen>
    static let children: [Child<Screen>] = [
        .case(\.place, Place.edit, Row.self), .case(\.place, Place.count, Counter.self),
    ]

    var edit: Row? { child(\.place, case: Place.edit) }
    var count: Counter? { child(\.place, case: Place.count) }
}
