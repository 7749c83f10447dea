import Promise
import Testing

@Suite struct OriginTests {
    @Test("an origin has file and line") func keeps() {
        let origin = Origin(#fileID, 12)
        #expect(origin.file == "PromiseTests/OriginTests.swift")
        #expect(origin.line == 12)
        #expect("\(origin)" == "PromiseTests/OriginTests.swift:12")
        #expect(origin == Origin(#fileID, 12) && origin != Origin(#fileID, 13))
    }

    @Test("lines beyond 65,535 are clamped, and a file without a pointer is unknown")
    func limits() {
        #expect(Origin(#fileID, 70_000).line == 65_535)
        #expect("\(Origin("x", 3))" == "unknown:0" || Origin("x", 3).file == "x")
    }

    @Test("the messages of the library's errors") func messages() {
        #expect("\(PromiseError.timedOut(.seconds(2)))" == "The promise did not settle within 2.0 seconds.")
        #expect(
            "\(PromiseError.noneFulfilled([Boom("a"), Boom("b")]))"
                == "None of 2 promises was fulfilled: a; b.")
        #expect("\(PromiseError.empty)" == "There was no promise or element to wait for.")
        #expect(
            "\(PromiseError.resolvedWithItself)"
                == "The promise was resolved with itself and could never have settled.")
    }
}
