import Promise
import PromisedExploring
import PromisedSystem

@testable import PromisedSources

/// A device, a server and another device, for an exploration.
struct ExploredSync: Sendable {
    struct Note: Versioned, Hashable { var version: Int }
    struct Offline: Error {}
    struct Conflict: Error {}

    typealias State = SyncState<Note>
    typealias Event = SyncEvent<Note>

    struct Change: Hashable {
        var note: Note?
        var revision: Int
    }

    /// What is stored on this device, and what was wrong with what the sync did.
    struct Device: Hashable {
        var note: Note?
        /// The newest version that the user has removed.
        var removed = 0
        var record: SyncRecord<Note>?
        /// The changes that the system has not been notified of, in order.
        var changes: [Change] = []
        var revision = 0
        var problem: String?

        mutating func change(to note: Note?) {
            self.note = note
            revision += 1
            changes.append(Change(note: note, revision: revision))
        }
    }

    var local: Int?
    var remote: Int?
    /// No version is greater.
    var newest = 3
    /// Whether a value from the server is only stored if the value here is the one that it was compared with.
    var isAtomic = true
    /// Whether another device changes the value of the server.
    var hasOthers = true

    func explorer() -> Explorer<State, Event> {
        Explorer(events: [.activated]) { world in
            let server = world.variable(remote.map { Note(version: $0) })
            let device = world.variable(Device(note: local.map { Note(version: $0) }))
            let reference = SystemReference()
            let system = syncSystem(
                State(local.map { Note(version: $0) }, nil, revision: 0), on: world.scheduler,
                with: remote(world, server, device), store(device), pause: .seconds(30))
            reference.set(system)
            addActions(world, server, device, reference)
            world.always("a newer value stays, and what is removed does not come back") { _ in
                device.value.problem == nil
            }
            if !hasOthers {
                world.atRest("both have the same value") { _ in
                    let present = device.value
                    let known = present.note.map { SyncRecord(kind: .seen, value: $0) }
                    return !present.changes.isEmpty || present.note == server.value && present.record == known
                }
            }
            return system
        }
    }

    private func store(_ device: WorldVariable<Device>) -> SyncedLocal<Note> {
        SyncedLocal { new, revision in
            let present = device.value
            if isAtomic, present.revision != revision { return }
            if let note = present.note, let new, note.version >= new.version {
                device.value.problem = "an older value was stored over a newer one"
            }
            if let new, new.version <= present.removed { device.value.problem = "a removed value came back" }
            if new == nil, present.note != present.record?.value {
                device.value.problem = "a change was lost to a deletion elsewhere"
            }
            device.value.change(to: new)
        } note: { record in
            device.value.record = record
        } write: {
        }
    }

    private func remote(
        _ world: World<State>, _ server: WorldVariable<Note?>, _ device: WorldVariable<Device>
    ) -> RemoteStorage<Note> {
        @Sendable func send(_ name: String, _ new: Note?, over old: Note?) -> Promise<Void> {
            @Sendable func execute() throws {
                guard server.value == old else { throw Conflict() }
                if let new, let old, new.version <= old.version {
                    device.value.problem = "an older value was sent over a newer one"
                }
                server.value = new
            }
            return world.call(
                name, .result("done") { try execute() }, .error(Offline()),
                .result("done, and the answer is lost") {
                    try execute()
                    throw Offline()
                })
        }
        return RemoteStorage {
            world.call("get", .result("answer") { server.value }, .error(Offline()))
        } create: {
            send("create", $0, over: nil)
        } update: {
            send("update", $0, over: $1)
        } delete: {
            send("delete", nil, over: $0)
        }
    }

    /// The system is notified of a change some time after it, as if that had been made on another thread.
    private func addActions(
        _ world: World<State>, _ server: WorldVariable<Note?>, _ device: WorldVariable<Device>,
        _ system: SystemReference
    ) {
        @Sendable func next() -> Note? {
            let (device, server) = (device.value, server.value)
            let version = max(device.note?.version ?? 0, device.removed, server?.version ?? 0)
            return version < newest ? Note(version: version + 1) : nil
        }
        world.action("set") {
            guard device.value.changes.count < 2, let note = next() else { return }
            device.value.change(to: note)
        }
        world.action("remove") {
            guard device.value.changes.count < 2, let note = device.value.note else { return }
            device.value.removed = note.version
            device.value.change(to: nil)
        }
        world.action("notice") {
            guard !device.value.changes.isEmpty else { return }
            let change = device.value.changes.removeFirst()
            system.send(.localChanged(change.note, revision: change.revision))
        }
        guard hasOthers else { return }
        world.action("another device sets") { if let note = next() { server.value = note } }
        world.action("another device removes") { server.value = nil }
    }

    /// Lets what the system is made of send events to it.
    private final class SystemReference: Sendable {
        private struct Content: Sendable { weak var system: System<State, Event>? }
        private let content = Lock(Content())
        func set(_ system: System<State, Event>) { content.withLock { $0.system = system } }
        func send(_ event: Event) { content.withLock { $0.system }?.sendEvent(event) }
    }
}
