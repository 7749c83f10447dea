import PromisedModels

/// Knows facts about numbers.
struct FactClient: Sendable {
    var fetch: @Sendable (Int) async throws -> String
}

/// There is no fact about a number.
struct NoFact: Error, Equatable {}

enum FactClientKey: DependencyKey {
    static let liveValue = FactClient { number in
        switch number {
        case 0: "0 is the only number that is neither positive nor negative."
        case 1: "1 is the only number that every number can be divided by."
        case 2: "2 is the only even prime number."
        default: throw NoFact()
        }
    }
}

extension DependencyValues {
    var factClient: FactClient {
        get { self[FactClientKey.self] }
        set { self[FactClientKey.self] = newValue }
    }
}
