import Foundation
import Testing

@testable import PromisedRecording

@Suite("Values as JSON") struct CodedValueTests {
    private struct Cart: Codable, Hashable, Sendable {
        enum Step: Codable, Hashable { case empty, paying(total: Decimal, at: Date), done(receipt: URL?) }

        var step = Step.empty
        var ratios: [Double] = [0.1, -0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300]
        var counts: [String: UInt64] = ["é": .max, "e\u{302}": 0]
        var data = Data([0, 255]), lines: Set<Int8> = [-128], float: Float = 0.1, nothing: Int?
        var nested: [[String?]] = [["a\0", nil], []]
    }

    private struct Closed: Sendable { var secret = 1 }

    private struct Failing: Encodable {
        struct Reason: Error {}
        func encode(to encoder: any Encoder) throws { throw Reason() }
    }

    private func coded<Value: Sendable & Equatable>(_ value: Value) throws -> Value {
        let read = try json(#require(CodedValue(value).json).text)
        var repairs: [String] = []
        let result = try CodedValue(json: read).decode(Value.self, repairs: &repairs)
        #expect(repairs == [])
        return result
    }

    @Test("a Codable value of any kind is decoded as it was")
    func codable() throws {
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        for step in [
            Cart.Step.empty,
            .paying(total: Decimal(string: "12.30") ?? 0, at: Date(timeIntervalSince1970: 1.5)),
            .done(receipt: nil), .done(receipt: url),
        ] {
            let cart = Cart(step: step)
            #expect(try coded(cart) == cart)
        }
        #expect(try coded(Int.min) == .min)
        #expect(try coded("\u{0}\u{2028}") == "\u{0}\u{2028}")
        #expect(try coded(2.5) == 2.5)
        #expect(try coded(true))
        #expect(try coded([nil, 1] as [Int?]) == [nil, 1])
        #expect(try coded(nil as Int?) == nil)
        #expect(try coded(7 as Int?) == 7)
        #expect(try coded(["a": [1: "x"]]) == ["a": [1: "x"]])
        #expect(try coded(url) == url)
    }

    @Test("a NaN stays one") func notANumber() throws {
        var repairs: [String] = []
        #expect(try CodedValue(json: .string("nan")).decode(Double.self, repairs: &repairs).isNaN)
        #expect(CodedValue(Double.nan).json == .string("nan"))
    }

    @Test("a tuple is a list of its parts, and Void is null")
    func tuples() throws {
        let tuple: (String, Int, Cart.Step, Int?) = ("a", 1, .empty, nil)
        #expect(CodedValue(tuple).json?.text == #"["a",1,{"empty":{}},null]"#)
        #expect(CodedValue(()).json == .null)
        var repairs: [String] = []
        try CodedValue(json: .null).decode(Void.self, repairs: &repairs)
    }

    @Test("a value that is not Codable is a text, and so is a tuple of one")
    func texts() {
        #expect(CodedValue(Closed()).text == "Closed(secret: 1)")
        #expect(CodedValue(Closed()).json == nil)
        #expect(CodedValue((1, Closed())).text == "(1, Closed(secret: 1))")
        var repairs: [String] = []
        #expect(throws: DecodingProblem.self) {
            try CodedValue(Closed()).decode(Closed.self, repairs: &repairs)
        }
    }

    @Test("a value whose encoding fails is a text, and says why")
    func failing() {
        let coded = CodedValue(Failing())
        #expect(coded.json == nil && coded.text == "Failing()")
        #expect(coded.failure == "Reason()")
    }
}
