internal import PromisedSystem

/// What a configuration consists of, by name, to report how two of them differ.
struct ConfigurationParts: Sendable {
    /// A value for a reader.
    enum Text: Sendable {
        /// By its number among those of the explored system.
        case state(Int), event(Int)
        /// By its number among all values.
        case value(Int)
        case plain(String)
    }

    typealias Difference = (name: String, first: [Text]?, second: [Text]?)

    private struct Part: Sendable {
        let name: String
        var texts: [Text]
        var words: [Int] = []
    }

    private var parts: [Part] = []
    /// The number of the system that is described, from 1.
    var system = 1

    /// The following words belong to this part, perhaps to another one of the same name.
    mutating func begin(_ name: String, _ texts: [Text]) { parts.append(Part(name: name, texts: texts)) }

    mutating func add(_ words: some Collection<Int>) {
        if !parts.isEmpty { parts[parts.count - 1].words += words }
    }

    /// Adds a part that a text describes completely.
    mutating func add(_ name: String, _ text: String) {
        begin(name, [.plain(text)])
        add(text.utf8.map(Int.init))
    }

    /// The parts that have words, by name.
    private var named: [String: Part] {
        Dictionary(parts.filter { !$0.words.isEmpty }.map { ($0.name, $0) }) { first, next in
            Part(name: first.name, texts: first.texts + next.texts, words: first.words + next.words)
        }
    }

    /// The words of each part.
    var words: [String: [Int]] { named.mapValues(\.words) }

    /// The parts in which two configurations differ, in the order of the encoding; nil where one of them has no such
    /// part.
    static func differences(_ first: ConfigurationParts, _ second: ConfigurationParts) -> [Difference] {
        let (one, other) = (first.named, second.named)
        var seen: Set<String> = []
        return (first.parts + second.parts).map(\.name).filter { seen.insert($0).inserted }
            .filter { one[$0]?.words != other[$0]?.words }
            .map { ($0, one[$0]?.texts, other[$0]?.texts) }
    }
}

extension WorldConfiguration {
    @inline(__always)
    func name(_ name: @autoclosure () -> String, _ texts: @autoclosure () -> [ConfigurationParts.Text] = []) {
        if let parts {
            self.parts?.begin(parts.system == 1 ? name() : "\(name()) of system \(parts.system)", texts())
        }
    }

    /// The following parts belong to the system at an index.
    @inline(__always)
    func begin(_ system: Int) { parts?.system = system + 1 }

    private var isExplored: Bool { parts?.system == 1 }
    func state(_ number: Int) -> ConfigurationParts.Text { isExplored ? .state(number) : .value(number) }
    func event(_ number: Int) -> ConfigurationParts.Text { isExplored ? .event(number) : .value(number) }

    func text(of slot: LoopSnapshot.KeySlot) -> [ConfigurationParts.Text] {
        [
            .plain(
                slot.runs.isEmpty
                    ? slot.isAskedFor ? "requested" : "over"
                    : "\(slot.runs.count) running" + (slot.waiting.isEmpty ? "" : ", others waiting"))
        ]
    }
}
