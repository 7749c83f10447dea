import Foundation
import PromisedModels
import TestSupport
import Testing

/// Changes of an identified array by place, each compared with the same of a plain array.
@Suite(.tags(.noSharedState)) struct IdentifiedArrayPlacesTests {
    struct Song: Identifiable, Equatable, Comparable {
        var id: Int
        var title = ""
        static func < (left: Song, right: Song) -> Bool { (left.title, left.id) < (right.title, right.id) }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let ours: @Sendable (inout IdentifiedArray<Song>) -> Void
        let expected: [Int]
    }

    static let changes: [Change] = [
        .init(testDescription: "sort", ours: { $0.sort() }, expected: [3, 1, 0, 2, 4]),
        .init(testDescription: "swapAt", ours: { $0.swapAt(1, 3) }, expected: [0, 3, 2, 1, 4]),
        .init(testDescription: "swapAt the same", ours: { $0.swapAt(2, 2) }, expected: [0, 1, 2, 3, 4]),
        .init(testDescription: "remove(at:)", ours: { $0.remove(at: 2) }, expected: [0, 1, 3, 4]),
        .init(
            testDescription: "set by place", ours: { $0[1] = Song(id: 7, title: "new") },
            expected: [0, 7, 2, 3, 4]),
        .init(
            testDescription: "set by place to an identity that is elsewhere",
            ours: { $0[1] = Song(id: 2, title: "new") }, expected: [0, 1, 2, 3, 4]),
        .init(testDescription: "change by place", ours: { $0[1].title = "new" }, expected: [0, 1, 2, 3, 4]),
        .init(
            testDescription: "move down", ours: { $0.move(fromOffsets: [0, 1], toOffset: 4) },
            expected: [2, 3, 0, 1, 4]),
        .init(
            testDescription: "move up", ours: { $0.move(fromOffsets: [2, 4], toOffset: 1) },
            expected: [0, 2, 4, 1, 3]),
        .init(
            testDescription: "move around", ours: { $0.move(fromOffsets: [0, 4], toOffset: 2) },
            expected: [1, 0, 4, 2, 3]),
        .init(
            testDescription: "move to the end and beyond",
            ours: { $0.move(fromOffsets: [1, 90], toOffset: 9) }, expected: [0, 2, 3, 4, 1]),
        .init(
            testDescription: "move nothing", ours: { $0.move(fromOffsets: [], toOffset: 2) },
            expected: [0, 1, 2, 3, 4]),
        .init(
            testDescription: "remove(atOffsets:)", ours: { $0.remove(atOffsets: [0, 3, 9]) },
            expected: [1, 2, 4]),
    ]

    static let titles = ["c", "b", "c", "a", "z"]

    @Test(
        "OS-59: elements are changed by place, and found by their identities afterwards", arguments: changes)
    func byPlace(change: Change) {
        var songs = IdentifiedArray(Self.titles.enumerated().map { Song(id: $0, title: $1) })
        let before = songs
        change.ours(&songs)
        #expect(songs.ids == change.expected)
        #expect((0...9).map { songs.index(id: $0) } == (0...9).map { change.expected.firstIndex(of: $0) })
        #expect(before.ids == [0, 1, 2, 3, 4] && before.map(\.title) == Self.titles)
        for song in songs { #expect(songs[id: song.id] == song) }
    }

    @Test("OS-59: an element that is set by place and refused is reported, and the one there stays")
    func refused() {
        Reports.begin()
        struct Once: Identifiable, Equatable {
            var id: Int
            var text = ""
        }
        var all: IdentifiedArray = [Once(id: 4_711, text: "a"), Once(id: 4_712, text: "b")]
        all[0] = Once(id: 4_712, text: "c")
        #expect(all.elements == [Once(id: 4_711, text: "a"), Once(id: 4_712, text: "b")])
        #expect(Reports.about("already has one with the identity 4712").count == 1)
    }

    @Test("OS-59: models follow their elements when these are moved, exchanged and set by place")
    func models() {
        struct Names: Model {
            struct State: Equatable {
                var rows: IdentifiedArray<Row.State> = .init((1...4).map { .init(id: $0) })
            }
            let context: ModelContext<Names>
            static let children: [Child<Names>] = [.each(\.rows, Row.self)]
            var rows: [Row] { children(\.rows) }
        }
        let fixture = Fixture<Names>(.init())
        let state = fixture.model.context.state
        #expect(fixture.after { _ in state.rows.move(fromOffsets: [0], toOffset: 3) } == [])
        #expect(fixture.model.rows.map { $0.id } == [2, 3, 1, 4])
        #expect(fixture.after { _ in state.rows.swapAt(0, 3) } == [])
        #expect(fixture.after { _ in state.rows.remove(atOffsets: [1]) } == ["-counter", "-row 3"])
        #expect(
            fixture.after { _ in state.rows[0] = .init(id: 9) } == [
                "-counter", "-row 4", "+row 9", "+counter",
            ])
        #expect(fixture.model.rows.map { $0.id } == [9, 1, 2])
        #expect(fixture.after { _ in state.rows.sort { $0.id < $1.id } } == [])
        #expect(fixture.model.rows.map { $0.id } == [1, 2, 9])
    }
}
