import TestSupport
import Testing

@testable import PromisedSystem

@Suite struct SubscribersTests {
    @Test(
        "a list of subscribers has those that were added and not removed, however often one is removed",
        arguments: 0..<UInt64(rounds(10, stress: 200)))
    func likeAnArray(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let heard = Log<Int>()
        var (listeners, subscribers, model) = ([Listener<Int>](), Subscribers<Int>(), [Int]())
        for _ in 0..<200 {
            if Bool.random(using: &random) {
                let number = listeners.count
                listeners.append(Listener({ _ in heard.add(number) }, onEnd: {}))
                subscribers.add(listeners[number])
                model.append(number)
            } else if let number = listeners.indices.randomElement(using: &random) {
                // It may have been removed before.
                #expect(subscribers.remove(listeners[number]) == model.contains(number))
                model.removeAll { $0 == number }
            }
            subscribers.snapshot.notify(0)
            #expect(heard.take() == model)
            #expect(subscribers.count == model.count && subscribers.isEmpty == model.isEmpty)
        }
    }
}
