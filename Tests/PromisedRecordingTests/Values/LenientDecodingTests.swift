import Foundation
import Testing

@testable import PromisedRecording

@Suite("Values of changed types") struct LenientDecodingTests {
    private struct Address: Codable, Equatable { var street: String, number: Int }
    private enum Mode: String, Codable { case none = "", dark }
    private enum Level: Int, Codable { case low, high }
    private enum Step: Codable, Equatable { case start, pay(total: Int, note: String) }
    private struct Wrapper: Codable, RawRepresentable { var rawValue: String }
    private final class Endless: Decodable { var next: Endless }
    private class Base: Decodable { var a: Int }
    private struct Options: OptionSet, Codable { var rawValue: Int }

    private struct State: Codable, Equatable {
        var name: String, count: Int, price: Double, isOpen: Bool, tags: [String], prices: [String: Int]
        var ids: Set<Int>, address: Address, note: String?
    }

    private func decode<Value: Decodable>(
        _ text: String, _ type: Value.Type
    ) throws -> (value: Value, repairs: [String]) {
        var repairs: [String] = []
        return (try json(text).decode(type, repairs: &repairs), repairs)
    }

    @Test("members that the type has got are filled in, and each is named")
    func missing() throws {
        let (state, repairs) = try decode(#"{"name":"a","address":{"number":3}}"#, State.self)
        #expect(
            state
                == State(
                    name: "a", count: 0, price: 0, isOpen: false, tags: [], prices: [:], ids: [],
                    address: .init(street: "", number: 3), note: nil))
        #expect(
            repairs == [
                "count: missing in the recording, filled in",
                "price: missing in the recording, filled in",
                "isOpen: missing in the recording, filled in",
                "tags: missing in the recording, filled in",
                "prices: missing in the recording, filled in",
                "ids: missing in the recording, filled in",
                "address.street: missing in the recording, filled in",
            ])
    }

    @Test("a structure that is missing is filled in member by member, in elements and cases as well")
    func structures() throws {
        #expect(
            try decode(#"{"a":[{"number":1}]}"#, [String: [Address]].self).repairs == [
                "a[0].street: missing in the recording, filled in"
            ])
        let (step, repairs) = try decode(#"{"pay":{"total":5}}"#, Step.self)
        #expect(step == .pay(total: 5, note: ""))
        #expect(repairs == ["pay.note: missing in the recording, filled in"])
        struct Outer: Codable { var address: Address, options: Options, id: Wrapper, date: Date }
        let outer = try decode("{}", Outer.self)
        #expect(outer.value.address == Address(street: "", number: 0) && outer.value.options.isEmpty)
        #expect(outer.value.id.rawValue == "" && outer.value.date == Date(timeIntervalSinceReferenceDate: 0))
        #expect(outer.repairs.count == 6)
    }

    @Test("members that the type does not have any more are ignored")
    func extra() throws {
        let (address, repairs) = try decode(#"{"street":"a","number":1,"zip":[1,{"x":null}]}"#, Address.self)
        #expect(address == Address(street: "a", number: 1))
        #expect(repairs == [])
    }

    @Test("a case of an enum is never made up")
    func cases() {
        struct Modes: Codable { var mode: Mode }
        struct Levels: Codable { var level: Level }
        struct Steps: Codable { var step: Step }
        #expect(
            throws: DecodingProblem(
                path: [.key("mode")], reason: "missing in the recording, and not to be made up")
        ) {
            try decode("{}", Modes.self)
        }
        #expect(throws: DecodingProblem.self) { try decode("{}", Levels.self) }
        #expect(throws: DecodingProblem.self) { try decode("{}", Steps.self) }
        #expect(throws: DecodingProblem.self) { try decode(#"{"step":{"gone":{}}}"#, Steps.self) }
        #expect(throws: DecodingProblem.self) { try decode(#"{"mode":null}"#, Modes.self) }
        #expect(throws: DecodingProblem.self) { try decode(#"{"level":2}"#, Levels.self) }
    }

    @Test("a value of another type is an error that names the place")
    func mismatch() {
        let problem = #expect(throws: DecodingProblem.self) {
            try decode(#"[{"street":"a","number":1},{"street":"a","number":"2"}]"#, [Address].self)
        }
        #expect(problem?.path.text == "[1].number")
        for (text, type) in [
            ("1.5", Int.self), ("256", UInt8.self), ("true", Int.self), ("1", Bool.self),
            ("\"inf\"", Int.self),
            ("[1]", (Int, Int).self), ("{}", [Int].self), ("[]", Address.self), ("1", String.self),
        ] as [(String, Any.Type)] {
            guard let type = type as? any Decodable.Type else { continue }
            #expect(throws: DecodingProblem.self) { try decode(text, type) }
        }
    }

    @Test("a type without an end is given up after 64 missing members")
    func endless() {
        #expect(throws: DecodingProblem.self) { try decode("{}", Endless.self) }
    }
}
