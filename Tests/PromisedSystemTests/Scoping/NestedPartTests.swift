import Promise
import PromisedSystem
import PromisedTesting
import Testing

/// A part of a part, where the outer one is replaced and the inner one has the same id as before.
@Suite struct NestedPartTests {
    struct Sheet: Sendable, Identifiable, Equatable {
        let id: Int
        var editor: Editor? = Editor()
        var title = Editor()
        var rows = [Editor()]
    }

    struct Editor: Sendable, Identifiable, Equatable {
        var id = 1
        var got: [String] = []
    }

    struct Desk: Sendable {
        var sheet: Sheet? = Sheet(id: 1)
        var plain = Sheet(id: 1)
    }

    enum DeskEvent: Sendable { case put(Sheet?), got(String), go }

    typealias Lift = @Sendable (Feature<Editor, DeskEvent>) -> Feature<Desk, DeskEvent>
    typealias Handle = @Sendable (ScopedSystem<Desk, DeskEvent>) -> ScopedSystem<Editor?, DeskEvent>

    static let sheet = Scope<Desk, DeskEvent, Sheet?, DeskEvent>(state: \.sheet, event: .identity())
    static let plain = Scope<Desk, DeskEvent, Sheet, DeskEvent>(state: \.plain, event: .identity())
    static let editor = Scope<Sheet, DeskEvent, Editor?, DeskEvent>(state: \.editor, event: .identity())
    static let title = Scope<Sheet, DeskEvent, Editor, DeskEvent>(state: \.title, event: .identity())
    static let first = Scope<Sheet, DeskEvent, Editor?, DeskEvent>(
        id: 1, in: \.rows, event: CasePath(embed: { $0.1 }, extract: { (1, $0) }))

    static let lifts: [(String, Lift)] = [
        ("two lifts", { $0.lifted(by: editor).lifted(by: sheet) }),
        ("one appended scope", { $0.lifted(by: sheet.appending(editor)) }),
        ("an appended scope to a property", { $0.lifted(by: sheet.appending(title)) }),
        ("an appended scope to an element", { $0.lifted(by: sheet.appending(first)) }),
        ("an appended scope in a property", { $0.lifted(by: plain.appending(editor)) }),
        ("two properties", { $0.lifted(by: plain.appending(title)) }),
    ]
    static let handles: [(String, Handle)] = [
        ("scoped twice", { $0.scoped(by: sheet).scoped(by: editor.flatOptional()) }),
        ("scoped once", { $0.scoped(by: sheet.appending(editor)) }),
        ("scoped to a property", { $0.scoped(by: sheet.appending(title)) }),
        ("scoped to an element", { $0.scoped(by: sheet).scoped(by: first.flatOptional()) }),
        ("in a property", { $0.scoped(by: plain).scoped(by: editor) }),
        (
            "in an unwrapped part",
            { $0.scoped(by: sheet).unwrapped(or: Sheet(id: 0, editor: nil)).scoped(by: editor) }
        ),
    ]

    private static func desk(
        _ scheduler: any SerialScheduler, _ lift: Lift? = nil,
        _ feedback: Feedback<Editor, DeskEvent> = .empty
    ) -> System<Desk, DeskEvent> {
        let feature = Feature(
            reducer: Reducer<Editor, DeskEvent> { editor, event in
                if case .got(let text) = event { editor.got.append(text) }
            }, feedbacks: [feedback])
        let lifted = lift?(feature)
        let putting = Reducer<Desk, DeskEvent> { (desk: Desk, event: DeskEvent) -> Promise<Desk> in
            guard case .put(let sheet) = event else {
                var next = desk
                if case .got(let text) = event, lifted == nil {
                    next.sheet?.editor?.got.append(text)
                    next.plain.editor?.got.append(text)
                    next.sheet?.title.got.append(text)
                    if next.sheet != nil { next.sheet?.rows[0].got.append(text) }
                }
                return .value(next)
            }
            let next = Desk(sheet: sheet, plain: sheet ?? Sheet(id: 0))
            // Events that are sent meanwhile wait.
            return Promise.value(next).delay(.seconds(1))
        }
        return System(
            initialState: Desk(), scheduler: scheduler, reducer: putting <> (lifted?.reducer ?? .identity),
            feedbacks: lifted?.feedbacks ?? [])
    }

    @Test("work ends when a part that contains its part is replaced", arguments: lifts)
    func outerReplaced(_ name: String, _ lift: @escaping Lift) {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let system = Self.desk(
            scheduler, lift,
            .whilePresent(state: { $0.id }) { id in
                Effect { effect in
                    works.add("+\(id)")
                    effect.onCancel { works.add("-\(id)") }
                }
            })
        scheduler.advance()
        #expect(works.take() == ["+1"])
        for sheet in [Sheet(id: 2), Sheet(id: 2, editor: Editor(got: ["x"]))] {
            system.sendEvent(.put(sheet))
            scheduler.advance(by: .seconds(1))
            #expect(works.take() == (sheet.editor?.got == [] ? ["-1", "+1"] : []), "\(name)")
        }
    }

    @Test("the event that shows a part starts its work, in an appended scope, too", arguments: lifts)
    func shown(_ name: String, _ lift: @escaping Lift) {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let system = Self.desk(
            scheduler, lift,
            .onEvent({ if case .put = $0 { true } else { nil } }) { _ in
                Effect<DeskEvent>.fireAndForget { works.add("work") }
            })
        system.sendEvent(.put(nil))
        scheduler.advance(by: .seconds(1))
        _ = works.take()
        system.sendEvent(.put(Sheet(id: 3)))
        scheduler.advance(by: .seconds(1))
        #expect(
            works.take() == (name.contains("propert") && !name.contains("to a") ? [] : ["work"]), "\(name)")
    }

    @Test(
        "an event that a handle has sent does not reach the part that takes its part's place",
        arguments: handles)
    func queuedByHandle(_ name: String, _ handle: @escaping Handle) throws {
        let scheduler = TestScheduler()
        let system = Self.desk(scheduler)
        let scoped = handle(system.scoped())
        let (first, outcomes) = (try #require(scoped.unwrapped()), Log<String>())
        system.onLoop { outcomes.add(describe($0.outcome)) }
        first.sendEvent(.got("a"))
        scheduler.advance()
        #expect(first.state.got == ["a"], "\(name)")
        system.sendEvent(.put(Sheet(id: 2)))
        first.sendEvent(.got("b"))
        scheduler.advance(by: .seconds(1))
        first.sendEvent(.got("c"))
        scheduler.advance()
        #expect(outcomes.entries == ["settled", "settled", "dropped(withdrawn)"], "\(name)")
        #expect(scoped.unwrapped()?.state.got == [], "\(name)")
        #expect(first.state.got == ["a"], "\(name)")
        // A handle of the part that is there.
        let second = try #require(scoped.unwrapped())
        second.sendEvent(.got("d"))
        scheduler.advance()
        #expect(second.state.got == ["d"], "\(name)")
    }

    @Test("a handle inside an unwrapped part is over with that part")
    func insideUnwrapped() throws {
        let scheduler = TestScheduler()
        let system = Self.desk(scheduler)
        let sheet = try #require(system.scoped(by: Self.sheet).unwrapped())
        let editor = try #require(sheet.scoped(by: Self.editor).unwrapped())
        let title = sheet.scoped(by: Self.title)
        system.sendEvent(.put(Sheet(id: 2)))
        editor.sendEvent(.got("a"))
        title.sendEvent(.got("b"))
        scheduler.advance(by: .seconds(1))
        editor.sendEvent(.got("c"))
        title.sendEvent(.got("d"))
        scheduler.advance()
        #expect(system.state.sheet == Sheet(id: 2))
        #expect(sheet.scoped(by: Self.editor).unwrapped()?.state == Editor())
    }

    @Test("reading a handle in a handle in a handle … costs as much more as there are handles")
    func depth() throws {
        indirect enum Box: Sendable { case last, box(Box) }
        let reads = Log<Int>()
        let inner = Scope<Box, Int, Box?, Int>(
            get: { box in
                reads.add(1)
                return if case .box(let inner) = box { inner } else { nil }
            }, modify: { _, _ in }, extract: { $0 }, embed: { $0 })
        var box = Box.last
        for _ in 1...24 { box = .box(box) }
        let system = System<Box, Int>(
            initialState: box, scheduler: .immediate, reducer: Reducer<Box, Int> { _, _ in })
        var screen = system.scoped()
        for _ in 1...12 { screen = try #require(screen.scoped(by: inner).unwrapped()) }
        _ = reads.take()
        _ = screen.state
        #expect(reads.take().count <= 24)
        screen.sendEvent(1)
        #expect(reads.take().count <= 600)
    }

    @Test("a feedback for an optional part receives its absence, also while the part around it is absent")
    func absent() {
        let (works, scheduler) = (Log<String>(), TestScheduler())
        let feedback = Feedback<Editor?, DeskEvent>.latest(state: { $0 == nil ? 1 : nil }) { _ in
            Effect { effect in
                works.add("+")
                effect.onCancel { works.add("-") }
            }
        }.lifted(by: Self.sheet.appending(Self.editor))
        let system = System<Desk, DeskEvent>(
            initialState: Desk(), scheduler: scheduler,
            reducer: Reducer<Desk, DeskEvent> { desk, event in
                if case .put(let sheet) = event { desk.sheet = sheet }
            }, feedbacks: [feedback])
        for (sheet, log) in [(nil, ["+"]), (Sheet(id: 2), ["-"]), (Sheet(id: 3, editor: nil), ["+"])] {
            system.sendEvent(.put(sheet))
            scheduler.advance()
            #expect(works.take() == log)
        }
    }
}
