/// The stored part of the findings of an exploration. The rest follows from the declarations of a world.
struct StoredNotes: Storable {
    private let outside: [String]
    private let bounds: [String]
    private let hasRested: Bool
    private let hasLeftOutEvents: Bool
    private let seen: [String]
    private let triggered: [String]
    private let events: [Int]
    private let calls: [CoverageRecord.Call]
    /// The places of the feedbacks that have started something.
    private let started: [String]

    init(_ notes: Findings.Notes) {
        (outside, bounds, hasRested) = (notes.outside, notes.bounds, notes.hasRested)
        hasLeftOutEvents = notes.hasLeftOutEvents
        seen = notes.met.compactMap { if case .neverSeen(let name) = $0 { name } else { nil } }.sorted()
        triggered = notes.met.compactMap { if case .neverTriggered(let name) = $0 { name } else { nil } }
            .sorted()
        (events, calls) = (notes.covered.events.sorted(), notes.covered.calls)
        started = notes.covered.feedbacks.filter(\.hasStarted).map { "\($0.origin)" }
    }

    func store(in writer: inout ByteWriter) {
        writer.write(outside, bounds, hasRested, hasLeftOutEvents, seen, triggered)
        writer.write(events, calls, started)
    }

    init(from reader: inout ByteReader) throws {
        (outside, bounds) = (try reader.read(), try reader.read())
        (hasRested, hasLeftOutEvents) = (try reader.read(), try reader.read())
        (seen, triggered) = (try reader.read(), try reader.read())
        (events, calls, started) = (try reader.read(), try reader.read(), try reader.read())
    }

    /// - Parameter declared: What the declarations of a world have left.
    func notes(_ declared: Findings.Notes) -> Findings.Notes {
        var notes = declared
        (notes.outside, notes.bounds, notes.hasRested) = (outside, bounds, hasRested)
        notes.hasLeftOutEvents = hasLeftOutEvents
        notes.met = Set(seen.map(Gap.neverSeen) + triggered.map(Gap.neverTriggered))
        notes.covered = CoverageRecord()
        notes.covered.actions = declared.covered.actions
        for (origin, hasStarted) in declared.covered.feedbacks {
            notes.covered.add(origin, hasStarted: hasStarted || started.contains("\(origin)"))
        }
        for event in events { notes.covered.add(event) }
        for call in calls { notes.covered.add(call) }
        return notes
    }
}
