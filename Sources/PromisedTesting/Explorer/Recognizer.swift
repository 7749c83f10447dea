internal import PromisedSystem

/// How an exploration knows a moment again, where states and events can be compared.
struct Recognizer<State: Sendable, Event: Sendable> {
    let number: (ExplorationRun<State, Event>) -> (number: Int, isNew: Bool)
    let numberOfState: (State) -> Int
    let allStates: () -> [State]

    init() where State: Hashable, Event: Hashable {
        let table = ConfigurationTable<State, Event>()
        number = { table.number(of: $0) }
        numberOfState = { table.number(of: $0) }
        allStates = { table.allStates }
    }
}
