import Foundation
import PromisedSystem
import PromisedTesting
import Testing

@Suite(#"tables, turns 5 to 12"#)
struct RecordedTurns {
    @Test func areTheSame() throws {
        let scheduler = TestScheduler()
        let stubPrice = Stub(TeaRoom().price, on: scheduler)
        let state: TeaRoom.Tables = try decode(#"{"guests":9,"opens":false,"orders":[],"prices":{"all":2}}"#)
        let test = TestSystem(TeaRoom().system(on: scheduler, from: state), on: scheduler, exhaustivity: .off)
        test.advance(by: .milliseconds(2))
        test.send(try decode(#"{"order":{"_0":"tea"}}"#))  // order("tea")
        test.advance(by: .milliseconds(3))
        stubPrice.fulfill(try decode(#"3"#), call: .number(1))
        test.advance()
        // orders[0]: + 3
        try test.assert(decode(#"{"guests":9,"opens":false,"orders":[3],"prices":{"all":2}}"#))
        test.advance(by: .milliseconds(2))
        test.send(try decode(#"{"compare":{}}"#))  // compare
        test.advance(by: .milliseconds(2))
        stubPrice.fulfill(try decode(#"3"#), call: .number(2))
        test.advance()
        stubPrice.fulfill(try decode(#"5"#), call: .number(3))
        test.advance()
        // orders[1]: + 3, 5
        try test.assert(decode(#"{"guests":9,"opens":false,"orders":[3,3,5],"prices":{"all":2}}"#))
        test.advance(by: .milliseconds(2))
        test.send(try decode(#"{"clean":{"_0":1}}"#))  // clean(1)
        test.advance(by: .milliseconds(5))
        // orders: [3,3,5] → [1]
        try test.assert(decode(#"{"guests":9,"opens":false,"orders":[1],"prices":{"all":2}}"#))
        test.advance(by: .milliseconds(1))
        test.send(try decode(#"{"joke":{"_0":4}}"#))  // joke(4)
        // guests: 9 → 13
        // prices.all: 2 → 4
        try test.assert(decode(#"{"guests":13,"opens":false,"orders":[1],"prices":{"all":4}}"#))
        test.advance(by: .milliseconds(1))
        test.send(try decode(#"{"leave":{}}"#))  // leave
        // note: + "left"
        try test.assert(decode(#"{"guests":13,"note":"left","opens":false,"orders":[1],"prices":{"all":4}}"#))
        test.advance(by: .milliseconds(1))
        test.send(try decode(#"{"leave":{}}"#))  // leave
        // note: "left" → "back"
        try test.assert(decode(#"{"guests":13,"note":"back","opens":false,"orders":[1],"prices":{"all":4}}"#))
        test.advance(by: .milliseconds(1))
        test.send(try decode(#"{"enter":{"_0":3}}"#))  // enter(3)
        // guests: 13 → 16
        // prices.all: 4 → 3
        try test.assert(decode(#"{"guests":16,"note":"back","opens":false,"orders":[1],"prices":{"all":3}}"#))
        #expect(stubPrice.calls.count == 3)
        test.finish()
    }
}

private func decode<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
}

extension TestSystem {
    fileprivate func assert(_ state: State) { assert { $0 = state } }
}
