import Testing

/// The compiler may emit its errors in any order.
@Suite("Refusal check")
struct RefusalCheckTests {
    @Test(
        "the quoted errors are compared as a set: any order is right; one more, one less, one twice are not")
    func refusedInAnyOrder() throws {
        let quoted = ["cannot find 'a' in scope", "cannot convert … to 'Int'", "cannot find … in scope"]
        let said = ["cannot find 'a' in scope", "cannot convert 'x' to 'Int'", "cannot find 'b' in scope"]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(problems(order.map { said[$0] }, quoted: quoted) == [])
            #expect(problems(said, quoted: order.map { quoted[$0] }) == [])
        }
        #expect(problems(said + ["cannot find 'c' in scope"], quoted: quoted).count == 1)
        for left in said { #expect(problems(said.filter { $0 != left }, quoted: quoted).count == 1) }
        // The compiler's repetitions count once; a quotation stands for one message only.
        #expect(problems(said + said, quoted: quoted) == [])
        #expect(problems(said, quoted: quoted + quoted.prefix(1)).count == 1)
        #expect(problems(["cannot find 'b' in scope"], quoted: []).count == 1)
        // The parts of a quotation follow each other, and the message ends with the last.
        #expect(problems(["ab"], quoted: ["a…ab"]).count == 1)
        #expect(problems(["cannot find 'a' in scope today"], quoted: ["cannot find … in scope"]).count == 1)
    }

    /// The problems of a program for which the compiler reports `said` where the page quotes `quoted`.
    private func problems(_ said: [String], quoted: [String]) -> [Problem] {
        let fence = Fence(place: Place(file: "page.md", line: 1), language: "swift", attributes: [], code: "")
        var program = Program(kind: .refused, fences: [fence])
        program.errors = quoted.map { "error: \($0)\n" }.joined()
        let report = said.map { "page.md:1:1: error: \($0)\n" }.joined()
        return RefusalCheck.problems(of: program, report: report)
    }
}
