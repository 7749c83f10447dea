import Foundation
import Promise
import PromisedTesting
import TestSupport

@testable import PromisedSources

/// Devices that keep one note the same by one server, over a network that loses requests and answers.
final class DevicesWorld: Sendable {
    typealias Note = NoteServer.Note
    struct Lost: Error {}

    let scheduler = TestScheduler()
    let random: Threadsafe<SeededGenerator>
    let note = Threadsafe<Note?>(wrappedValue: nil)
    let isReliable = Threadsafe(wrappedValue: false)
    /// The values whose sender may not know that they have arrived: to it, one that is deleted then was never there.
    let unconfirmed = Threadsafe(wrappedValue: Set<String>())
    private let deletedUnconfirmed = Threadsafe(wrappedValue: Set<String>())
    let steps = Seen<String>()
    private let count: Int

    init(seed: UInt64, devices count: Int) {
        (random, self.count) = (Threadsafe(wrappedValue: SeededGenerator(seed: seed)), count)
    }

    func draw(_ range: ClosedRange<Int>) -> Int {
        var generator = random.wrappedValue
        defer { random.wrappedValue = generator }
        return Int.random(in: range, using: &generator)
    }

    /// - Returns: What is wrong in the end, with the steps that led there.
    func run() -> [String] {
        let devices = (1...count).map { Device($0, self) }
        for number in 1...draw(5...30) { devices[draw(0...count - 1)].step(number) }
        isReliable.wrappedValue = true
        for device in devices { device.settle() }
        for _ in 1...4 {
            for device in devices { device.activate() }
            scheduler.advance(by: .seconds(100))
        }
        var problems = devices.filter { $0.shown != note.wrappedValue }.map {
            "\($0.name) shows \($0.shown?.text ?? "-"), and the server has \(note.wrappedValue?.text ?? "-")"
        }
        let removed = devices.flatMap(\.removed), final = note.wrappedValue
        if let final, removed.contains(final), !deletedUnconfirmed.wrappedValue.contains(final.text) {
            problems.append("\(final.text) has come back")
        }
        // What is removed takes with it all that is older, and what may have been removed may have done so.
        let last = (removed + devices.flatMap(\.uncertain)).map(\.version).max() ?? -1
        if let newest = devices.flatMap(\.set).max(by: { $0.version < $1.version }), newest.version > last,
            final != newest
        {
            problems.append("\(newest.text) is lost: there is \(final?.text ?? "-")")
        }
        if count == 1, !devices[0].possible.contains(final?.text) {
            problems.append("there is \(final?.text ?? "-") instead of \(devices[0].possible)")
        }
        return problems.isEmpty ? [] : problems + steps.values
    }

    /// A request of a process, as long as that is there.
    fileprivate func request<Value: Sendable>(
        _ name: String, of files: MemoryFiles, _ execute: @escaping @Sendable () throws -> Value
    ) -> Promise<Value> {
        Promise { [self] resolver in
            guard !files.isKilled else { return }
            let isSent = isReliable.wrappedValue || draw(1...5) > 1
            let isAnswered = isReliable.wrappedValue || draw(1...5) > 1
            _ = scheduler.schedule(after: .milliseconds(draw(0...400))) { [self] in
                // Nothing arrives of what has ended.
                guard !files.isKilled, !resolver.isCancelled else { return }
                let result = Result { if isSent { try execute() } else { throw Lost() } }
                steps.add("    \(name): \(isSent ? "\(result)" : "lost")")
                _ = scheduler.schedule(after: .milliseconds(draw(0...400))) {
                    guard !files.isKilled else { return }
                    if isAnswered { resolver.resolve(result) } else { resolver.reject(Lost()) }
                }
            }
        }
    }

    func server(_ device: String, _ files: MemoryFiles) -> RemoteStorage<Note> {
        @Sendable func change(_ new: Note?, over old: Note?) throws {
            guard note.wrappedValue == old else { throw NoteServer.Conflict() }
            note.wrappedValue = new
            if let new { unconfirmed.wrappedValue.insert(new.text) }
            if let old, unconfirmed.wrappedValue.contains(old.text) {
                deletedUnconfirmed.wrappedValue.insert(old.text)
            }
        }
        @Sendable func send(_ name: String, _ new: Note?, over old: Note?) -> Promise<Void> {
            request("\(device) \(name) \(new?.text ?? old?.text ?? "")", of: files) {
                try change(new, over: old)
            }.map { [unconfirmed] in
                if let new { unconfirmed.wrappedValue.remove(new.text) }
            }
        }
        return RemoteStorage { [self] in
            request("\(device) get", of: files) { [note] in note.wrappedValue }
        } create: {
            send("create", $0, over: nil)
        } update: {
            send("update", $0, over: $1)
        } delete: {
            send("delete", nil, over: $0)
        }
    }
}
