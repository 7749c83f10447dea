import Foundation
import PromisedExploring
import TestSupport
import Testing

/// A step is printed as Swift code.
@Suite(.tags(.noSharedState)) struct StepTests {
    private enum Event {
        case plain, payload(Int), labels(x: Int, String), optional(Int?), nested(Outer.Inner), made(Made)
    }
    private enum Outer { struct Inner { var number = 1 } }
    private struct Made {
        var id = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        var link = URL(string: "http://a.b/")
        var date = Date(timeIntervalSinceReferenceDate: 1.5)
        var price = Decimal(string: "1.50")
    }
    private enum Spoken: CustomStringConvertible {
        case one
        var description: String { "number one" }
    }

    @Test("events are printed as in a program")
    func events() {
        let events: [Event] = [
            .plain, .payload(1), .labels(x: 2, "a\"b"), .optional(nil), .optional(3), .nested(.init()),
            .made(.init()),
        ]
        #expect(
            events.map { "\(Step.send($0))" } == [
                ".send(.plain)", ".send(.payload(1))", #".send(.labels(x: 2, "a\"b"))"#,
                ".send(.optional(nil))",
                ".send(.optional(3))", ".send(.nested(StepTests.Outer.Inner(number: 1)))",
                #".send(.made(StepTests.Made(id: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!, "#
                    + #"link: URL(string: "http://a.b/")!, date: Date(timeIntervalSinceReferenceDate: 1.5), "#
                    + #"price: Decimal(string: "1.5")!)))"#,
            ])
        #expect("\(Step.send(Spoken.one))" == ".send(/* number one */)")
        #expect(
            [Double.infinity, -.infinity, .nan, -0.5].map { "\(Step.send($0))" } == [
                ".send(.infinity)", ".send(-.infinity)", ".send(.nan)", ".send(-0.5)",
            ])
    }

    @Test(
        "times are printed without loss of precision",
        arguments: [
            (Duration.seconds(5), ".seconds(5)"), (.milliseconds(-1500), ".milliseconds(-1500)"),
            (.microseconds(1), ".microseconds(1)"), (.nanoseconds(7), ".nanoseconds(7)"),
            (.seconds(1) / 3, "Duration(secondsComponent: 0, attosecondsComponent: 333333333333333333)"),
            (.seconds(Int64.max), ".seconds(9223372036854775807)"),
            (
                .seconds(Int64.max) - .milliseconds(1),
                "Duration(secondsComponent: 9223372036854775806, attosecondsComponent: 999000000000000000)"
            ),
        ])
    func times(duration: Duration, text: String) {
        #expect("\(Step<Int>.advance(by: duration))" == ".advance(by: \(text))")
    }

    @Test("time that goes backwards is no possible step of a script")
    func backwards() {
        #expect(
            failures { Saving.explorer().replay(.send(.save), .advance(by: .seconds(-1))) } == [
                """
                Step 2 of the script is not possible: .advance(by: .seconds(-1)). Open calls:

                    "disk": "done", "disk full"

                The system behaves differently than when the script was written. Explore it again, or rewrite the step.
                """
            ])
    }
}
