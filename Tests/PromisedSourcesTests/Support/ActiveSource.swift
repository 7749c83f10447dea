import Promise
import PromisedTesting

@testable import PromisedSources

final class ActiveSource: StateSource {
    let state = SourceState<Bool>()
    var initialModel: Bool { true }
}
