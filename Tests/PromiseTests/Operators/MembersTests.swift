import Promise
import PromisedTesting
import TestSupport
import Testing

/// The combinators, by the place of the member that settles first, one of five.
@Suite(.tags(.noSharedState)) struct MembersTests {
    enum Combinator: CaseIterable {
        case zip, parallel, limited, race, any, allSettled

        func callAsFunction(_ m: [Promise<Int>]) -> Promise<String> {
            switch self {
            case .zip: Promise.zip(m[0], m[1], m[2], m[3], m[4]).map { "\([$0.0, $0.1, $0.2, $0.3, $0.4])" }
            case .parallel: Promise.parallel(m).map { "\($0)" }
            case .limited: Promise.parallel(m, limit: 5).map { "\($0)" }
            case .race: Promise.race(m).map { "\($0)" }
            case .any: Promise.any(m).map { "\($0)" }
            case .allSettled: Promise.allSettled(m).map { "\($0.map { $0.value ?? -1 })" }
            }
        }

        func isDecided(by isFulfilled: Bool) -> Bool {
            switch self {
            case .race: true
            case .any: isFulfilled
            case .allSettled: false
            case .zip, .parallel, .limited: !isFulfilled
            }
        }
    }

    @Test(
        "the member that settles first decides, wherever it is, or else the rest count in their order",
        arguments: Combinator.allCases, 0..<5)
    func first(_ combine: Combinator, _ place: Int) {
        for isFulfilled in [true, false] {
            let members = (0..<5).map { _ in Promise<Int>.pending() }
            let shared = (place + 2) % 5
            let other = members[shared].promise.traced()
            let log = combine(members.map(\.promise)).traced()
            if isFulfilled {
                members[place].resolver.fulfill(place)
            } else {
                members[place].resolver.reject(Boom("e\(place)"))
            }
            let isDecided = combine.isDecided(by: isFulfilled)
            let heard = isFulfilled ? "\(place)" : "!e\(place)"
            #expect(log.lines == (isDecided ? [heard] : []))
            for (index, member) in members.enumerated() where index != place {
                #expect(member.resolver.isCancelled == (isDecided && index != shared), "member \(index)")
            }
            #expect(!members[place].resolver.isCancelled)
            let rest = (0..<5).reversed().filter { $0 != place }
            for index in rest { members[index].resolver.fulfill(index) }
            #expect(other.lines == ["\(shared)"])
            guard !isDecided else {
                #expect(log.lines == [heard])
                continue
            }
            let values = (0..<5).map { isFulfilled || $0 != place ? $0 : -1 }
            #expect(log.lines == [combine == .any ? "\(rest[0])" : "\(values)"])
        }
    }
}
