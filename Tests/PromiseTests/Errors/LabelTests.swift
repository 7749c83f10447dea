import Promise
import TestSupport
import Testing

/// `Promise(label:)`: the name of a promise in reports.
@Suite struct LabelTests {
    @Test("an abandonment error has the label and the source location", arguments: [false, true])
    func abandoned(isFollowed: Bool) {
        let line: UInt = #line + 1
        let made = Promise<Int>(label: "price") { _ in }
        let promise = isFollowed ? Promise.value(0).flatMap { _ in made } : made
        let log = promise.traced()
        #expect(
            log.lines == [
                "!The promise made at \"price\" at PromiseTests/LabelTests.swift:\(line) was abandoned: "
                    + "its resolver was released without settling it."
            ])
    }

    @Test("the label of a promise made inside flatMap is kept") func following() {
        let promise = Promise.value(0).flatMap { number in Promise<Int>(label: "number \(number)") { _ in } }
        guard case .failure(PromiseError.abandoned(let origin)) = promise.start().result else {
            Issue.record("\(String(describing: promise.result))")
            return
        }
        #expect(origin.label == "number 0")
        #expect(origin.file == "PromiseTests/LabelTests.swift")
    }

    @Test("an unhandled error is reported with the label") func unhandled() {
        Reports.begin()
        let error = Boom.unique()
        let line: UInt = #line + 1
        do { Promise<Int>(label: "basket") { _ in throw error }.start() }
        let reports = Reports.about(error)
        #expect(reports.map(\.origin) == [Origin(#fileID, line, label: "basket")])
        #expect(
            reports.first?.description.contains("\"basket\" at PromiseTests/LabelTests.swift:\(line)") == true
        )
    }

    @Test("pending, async work and a value of any size can have a label") func forms() async throws {
        let (promise, resolver) = Promise<[String]>.pending(label: "list")
        resolver.fulfill(["a"])
        #expect(try await promise.value == ["a"])
        let wide = Promise<SIMD8<Double>>(label: "wide") { $0.fulfill(SIMD8(repeating: 1)) }
        #expect(try await wide.map { $0.sum() }.value == 8)
        let later = Promise<Int>(label: "async") { () async throws -> Int in 3 }
        #expect(try await later.value == 3)
        let text = String(repeating: "long ", count: 100)
        let (lost, gone) = Promise<Int>.pending(label: text)
        _ = consume gone
        #expect(lost.result?.error as? PromiseError != nil)
    }
}
