import Foundation
import Promise
import PromisedTesting

@testable import PromisedSources

extension DevicesWorld {
    /// A device, and what its user knows.
    final class Device {
        /// What runs until it ends or is killed.
        private struct Process {
            let files: MemoryFiles
            let storage: FilePersistence
            let active = ActiveSource()
            var synced: Source<Persistable<Note>>?
        }

        let name: String
        private let world: DevicesWorld
        private let disk = MemoryFiles.Disk()
        private let key = StorageKey<Note>("note.json")
        private var process: Process?

        /// What the user has set and was not lost with a process.
        private(set) var set: [Note] = []
        private var newSet: [Note] = []
        /// What was removed, and stays so if the process is killed.
        private(set) var removed: [Note] = []
        private var newRemoved: [Note] = []
        /// What was set or removed before the process was killed, and may have been lost or not.
        private(set) var uncertain: [Note] = []
        /// What may be there if this is the only device: what was stored for certain, and all since.
        private(set) var possible: [String?] = [nil]
        /// Whether the last of them is there, as there was a change since the last kill.
        private var isCertain = true
        private var base = 0

        init(_ number: Int, _ world: DevicesWorld) {
            (name, self.world) = ("device \(number)", world)
            start()
        }

        var shown: Note? { process?.synced?.value.found?.value }

        func activate() {
            process?.active.model = false
            process?.active.model = true
        }

        private func start() {
            let (files, scheduler) = (MemoryFiles(disk), world.scheduler)
            let timing = StorageTiming(scheduler: scheduler, pause: .milliseconds(300)) {
                Date(timeIntervalSince1970: 1_700_000_000).addingTimeInterval(scheduler.now.inSeconds)
            }
            let storage = FilePersistence(URL(filePath: "/nowhere/folder"), files, timing, 1 << 20)
            process = Process(files: files, storage: storage)
            sync()
        }

        private func sync() {
            guard let process else { return }
            self.process?.synced = process.storage.synced(
                key, with: world.server(name, process.files), on: world.scheduler,
                isActive: process.active.eraseToSource())
        }

        private func endIfKilled() {
            guard let process, process.files.isKilled else { return }
            world.steps.add("\(name) is killed")
            uncertain += newSet + newRemoved
            // It may not have noted the answer.
            world.unconfirmed.wrappedValue.formUnion((set + newSet).map(\.text))
            (newSet, newRemoved, isCertain) = ([], [], false)
            self.process = nil
        }

        func step(_ number: Int) {
            switch world.draw(1...12) {
            case 1...3: set(number)
            case 4...5: clear()
            case 6: activate()
            case 7: flush()
            case 8: process?.files.kill(at: world.draw(1...20))
            case 9: toggle()
            default: world.scheduler.advance(by: .milliseconds(world.draw(0...2_000)))
            }
            endIfKilled()
            if process == nil, world.draw(1...2) == 1 { start() }
        }

        /// Lets it run without being killed any more.
        func settle() {
            endIfKilled()
            process?.files.kill(at: .max)
            if process == nil { start() }
            if process?.synced == nil { sync() }
            set += newSet
            removed += newRemoved
            if isCertain { possible = [possible.last ?? nil] }
        }

        private func toggle() {
            guard let process else { return }
            world.steps.add("\(name): \(process.synced == nil ? "sync" : "no sync")")
            if process.synced == nil { sync() } else { self.process?.synced = nil }
        }

        private func flush() {
            guard let process, (try? process.storage.flush()) != nil, !process.files.isKilled else { return }
            world.steps.add("\(name): flush")
            set += newSet
            removed += newRemoved
            if isCertain { possible = [possible.last ?? nil] }
            (newSet, newRemoved) = ([], [])
        }

        private var present: Source<Persistable<Note>>? {
            process.map { $0.synced ?? $0.storage.source(for: key) }
        }

        private func set(_ number: Int) {
            guard let source = present else { return }
            // Newer than what the user sees. Over nothing, it may also begin from the start.
            let shown = source.value.found.map { $0.value.version / 1_000 }
            base = shown.map { $0 + 1 } ?? (world.draw(0...1) == 0 ? 0 : base + 1)
            let note = Note(version: base * 1_000 + number, text: "\(name)#\(number)")
            world.steps.add("\(name) sets \(note.text) (\(note.version))")
            newSet.append(note)
            possible.append(note.text)
            isCertain = true
            source.value.set(note)
        }

        private func clear() {
            guard let source = present, let found = source.value.found else { return }
            world.steps.add("\(name) clears \(found.text)")
            newRemoved.append(found.value)
            possible.append(nil)
            isCertain = true
            found.clear()
        }
    }
}
