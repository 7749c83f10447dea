import Promise
@testable import PromisedSystem
import PromisedTesting
import TestSupport
import Testing

/// Texts for people: no module, no type arguments and no mark of a private type.
@Suite(.serialized, .tags(.sharedState)) struct PrintedNameTests {
    private enum Kind: Hashable, Sendable { case big, other }
    private enum Event: Sendable, Hashable { case buy(Kind), fail(Kind) }
    private enum Failure: Error { case tooMuch(Kind) }
    private final class Thing: Sendable {}
    private struct Basket: Sendable {
        var counts: [Kind: Int] = [:]
        var thing: Thing?
    }

    private typealias Record = LoopRecord<Int, Event>
    private typealias Text = @Sendable () -> String

    private static func problem(_ problem: SystemProblem) -> Text {
        { problem.description(at: Origin("Shop.swift", 3)) }
    }

    private static let texts: [(name: String, text: Text, expected: String)] = [
        ("reason", { "\(Record.DropReason.busy)" }, "busy"),
        ("outcome", { "\(Record.Outcome.dropped(.runaway))" }, "dropped: runaway"),
        (
            "outcomes", { "\([Record.Outcome.settled, .dropped(.debounced)])" },
            "[settled, dropped: debounced]"
        ),
        ("reasons", { "\([Record.DropReason.throttled, .withdrawn])" }, "[throttled, withdrawn]"),
        ("optional", { "\(String(describing: Record.Outcome?.some(.cancelled)))" }, "Optional(cancelled)"),
        ("stopped", { "\((Record.Outcome.stopped, 1))" }, "(stopped by middleware, 1)"),
        ("failed", { "\(Record.Outcome.failed(Failure.tooMuch(.big)))" }, "failed: tooMuch(.big)"),
        ("key", { "\(EffectKey(Event.buy(.big)))" }, "buy(.big)"),
        (
            "failed effect", problem(.failedEffect(Failure.tooMuch(.big))),
            "The work of the feedback made at Shop.swift:3 failed: tooMuch(.big)"
        ),
        (
            "failed transition", problem(.failedTransition(Failure.tooMuch(.big), event: "buy")),
            "The transition of buy, sent at Shop.swift:3, failed: tooMuch(.big)"
        ),
        (
            "keys of a dictionary",
            { "\(StateDiff(from: Basket(), to: Basket(counts: [.big: 1, .other: 2])))" },
            "counts[.big]: + 1\ncounts[.other]: + 2"
        ),
        ("an object", { "\(ValueText(Basket(thing: Thing())))" }, "Basket(counts: [:], thing: Thing)"),
        ("objects", { "\(ValueText([Thing(), Thing()]))" }, "[Thing, Thing]"),
    ]

    @Test("SR-29: a text for people has no module, type arguments or private names", arguments: texts.indices)
    func names(index: Int) {
        let (name, text, expected) = Self.texts[index]
        #expect(text() == expected, "\(name)")
    }

    @Test("SR-29: what is printed of a turn names the outcome as its record does") func printed() {
        let lines = Log<String>()
        let system = System<Int, Event>(
            initialState: 0, scheduler: .immediate,
            reducer: Reducer { (_: Int, event: Event) in
                if case .fail(let kind) = event { Promise(error: Failure.tooMuch(kind)) } else { .value(1) }
            })
        system.onError { _ in }
        system.printChanges { lines.add($0) }
        system.sendEvent(.fail(.big))
        system.sendEvent(.buy(.other))
        #expect(lines.entries == ["fail(.big): failed: tooMuch(.big)", "buy(.other): 0 → 1"])
    }
}
