import TestSupport
import Testing

@testable import PromisedRecording

@Suite("Differences of values") struct ValuePatchTests {
    @Test("a difference, written and read, makes the new value of the old one")
    func law() throws {
        var generator = SeededGenerator(seed: firstSeed())
        for _ in 0..<rounds(1_000, stress: 50_000) {
            let old = JSONValue.random(depth: 4, using: &generator)
            let new =
                Bool.random(using: &generator)
                ? old.mutated(using: &generator) : .random(depth: 4, using: &generator)
            let patch = ValuePatch(from: old, to: new, renaming: .random(using: &generator))
            #expect(try ValuePatch(json: json(patch.json.text)).applied(to: old) == new)
            #expect(patch.isEmpty == (old == new))
            #expect(patch.json.text.utf8.count <= new.text.utf8.count * 5 / 4 + 40)
        }
    }

    @Test(
        "a change of any kind is as small as it can be",
        arguments: [
            (#"1"#, #"2"#, #"[[[],2]]"#), (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, #"[[["b"],3]]"#),
            (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"[[["a"]]]"#),
            (#"{"b":2}"#, #"{"a":null,"b":2}"#, #"[[["a"],null]]"#),
            (#"{"a":{"b":[1,2,3]}}"#, #"{"a":{"b":[1,2,3,4]}}"#, #"[[["a","b"],3,0,[4]]]"#),
            (#"[1,2,3]"#, #"[2,3]"#, #"[[[],0,1,[]]]"#), (#"[1,2,3]"#, #"[1,9,3]"#, #"[[[1],9]]"#),
            (#"[[1,1],2]"#, #"[[1,5],2]"#, #"[[[0,1],5]]"#),
            (#"[1,2]"#, #"[2,1]"#, #"[[[],0,1,[]],[[],1,0,[1]]]"#),
            (#"{"a":{"b":1,"c":2,"d":3}}"#, #"{"a":{}}"#, #"[[["a"],{}]]"#),
            (#"{"loading":{}}"#, #"{"loaded":{"_0":7}}"#, #"[[[],{"loaded":{"_0":7}}]]"#),
            (#"[]"#, #"[]"#, #"[]"#),
            (#"{"é":1}"#, "{\"e\u{301}\":1}", "[[[],{\"e\u{301}\":1}]]"),
        ]) func smallest(old: String, new: String, patch: String) throws
    {
        #expect(try ValuePatch(from: json(old), to: json(new)).json.text == patch)
    }

    @Test("a large value under another case of an enum is renamed, if the reader may find it there")
    func renamed() throws {
        let page = JSONValue.array((0..<100).map { .number($0) })
        func state(_ name: String, _ more: JSONValue?) -> JSONValue {
            var payload: [JSONMember] = [.init("_0", page)]
            if let more { payload.set("_1", to: more) }
            return .object([.init(name, .object(payload))])
        }
        let (old, new) = (state("loaded", nil), state("loading", .string("slow")))
        let patch = ValuePatch(from: old, to: new, renaming: true)
        #expect(patch.json.text == #"[[["loading"],"from","loaded"],[["loading","_1"],"slow"]]"#)
        #expect(try patch.applied(to: old) == new)
        #expect(patch.lines(from: old) == ["loading: was loaded", #"loading._1: + "slow""#])
        #expect(throws: PatchProblem.self) { try patch.applied(to: new) }
        #expect(throws: PatchProblem.self) { try ValuePatch(json: json(#"[[[0],"from","a"]]"#)) }
    }

    @Test("elements with an id are followed, wherever they are")
    func identifiedElements() throws {
        func rows(_ ids: some Sequence<Int>, count: Int = 0) -> JSONValue {
            .array(ids.map { .object(["id": .number($0), "count": .number($0 == 500 ? count : 0)]) })
        }
        let old = rows(0..<1_000)
        let cases: [(JSONValue, Int)] = [
            (rows(0...1_000), 60), (rows(1..<1_000), 30),
            (rows((0..<1_000).filter { $0 != 300 }, count: 7), 60),
            (rows(-3..<998, count: 7), 160), (rows([999] + (0..<999)), 80),
        ]
        for (new, size) in cases {
            let patch = ValuePatch(from: old, to: new)
            #expect(try patch.applied(to: old) == new)
            #expect(patch.json.text.utf8.count <= size)
        }
    }

    @Test("the changes are described by path, with the values before and after")
    func lines() throws {
        let old = try json(#"{"lines":[{"count":3},{"count":1}],"note":"x","ids":[1,2,3]}"#)
        let new = try json(#"{"lines":[{"count":4},{"count":1}],"total":7,"ids":[1,2,3,4]}"#)
        let patch = ValuePatch(from: old, to: new)
        #expect(
            patch.lines(from: old) == [
                "ids[3]: + 4", "lines[0].count: 3 → 4", #"note: - "x""#, "total: + 7",
            ])
        #expect(patch.paths.map(\.text) == ["ids", "lines[0].count", "note", "total"])
        func elements(_ old: String, _ new: String) throws -> [String] {
            try ValuePatch(from: json(old), to: json(new)).lines(from: json(old))
        }
        #expect(try elements("[1,2,3,4]", "[1,4]") == ["[1]: - 2, 3"])
        let many = "[\((1...99).map(String.init).joined(separator: ","))]"
        #expect(try elements("[]", many) == ["[0]: + 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 99 in all"])
    }

    @Test(
        "a difference that is damaged, or fits no such value, is refused",
        arguments: [
            "1", "[1]", "[[]]", "[[1]]", "[[[true],1]]", "[[[],0,1]]", "[[[],0,0,1]]", "[[[],-1,0,[]]]",
            "[[[],0,-1,[]]]",
            "[[[],9223372036854775807,1,[]]]", "[[[],1,99999999999999999999,[]]]", "[[[],2,2,[]]]",
            "[[[7],1]]",
            "[[[-1],1]]", #"[[["a"],1]]"#, "[[[0,0],1]]", "[[[0]]]", "[[[]]]", "[[[],0,1,[],2]]",
            #"[[[0,"a"],1]]"#,
        ]) func refusal(patch: String) throws
    {
        let value = try json("[1,2,3]")
        #expect(throws: PatchProblem.self) { try ValuePatch(json: json(patch)).applied(to: value) }
    }

    @Test("patches never make a value deeper than one that can be read")
    func depth() throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        var value = try json(deep)
        let path = String(repeating: "0,", count: 198) + "0"
        let patch = try ValuePatch(json: json("[[[\(path)],\(deep)]]"))
        #expect(throws: PatchProblem(reason: "the value would be too deep")) { try patch.apply(to: &value) }
        let shallow = try ValuePatch(json: json("[[[\(path)],[[]]]]"))
        #expect(try shallow.applied(to: json(deep)).depth == 201)
    }
}
