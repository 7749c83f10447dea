import Dispatch
import PromisedModels
import PromisedTesting
import Synchronization
import TestSupport
import Testing

/// What a model has opened when it was activated is found by its last hook, whenever its state goes.
@Suite(.tags(.sharedState)) struct PropertyEndTests {
    /// Opens something when it is activated, and closes it when it is deactivated.
    private struct Door: Model {
        struct State: Equatable, Identifiable { let id: Int }
        let context: ModelContext<Door>
        static let opened = ModelProperty<Int?>(nil)

        func onActivate() {
            let doors = dependency(DoorsKey.self)
            doors.opening()
            property(Self.opened).value = doors.open()
        }

        func onDeactivate() {
            if let opened = property(Self.opened).value { dependency(DoorsKey.self).close(opened) }
        }
    }

    private final class Doors: Sendable {
        private let counts = Mutex((opened: 0, closed: 0))
        let opening: @Sendable () -> Void

        init(_ opening: @escaping @Sendable () -> Void = {}) { self.opening = opening }

        var openCount: Int { counts.withLock { $0.opened - $0.closed } }
        func open() -> Int {
            counts.withLock {
                $0.opened += 1
                return $0.opened
            }
        }
        func close(_: Int) { counts.withLock { $0.closed += 1 } }
    }

    private enum DoorsKey: DependencyKey {
        static var liveValue: Doors { Doors() }
    }

    @Test("OS-50: what is set while the state goes is there in the last hook", arguments: [false, true])
    func removedWhileActivated(hasBeenRead: Bool) {
        let leave = Box<@Sendable () -> Void>({})
        let doors = Doors { leave.value() }
        let fixture = Fixture<[Door]>([]) { $0[DoorsKey.self] = doors }
        leave.value = { [store = fixture.store] in store.replace([]) }
        fixture.store.replace([.init(id: 1)])
        // A value that is there before the activation is the same one.
        if hasBeenRead { #expect(fixture.store.model[0].property(Door.opened).value == nil) }
        fixture.scheduler.advance()
        leave.value = {}
        #expect(fixture.store.state.isEmpty)
        #expect(doors.openCount == 0)
    }

    @Test("OS-50: nothing stays open when states go on another thread while they are activated")
    func race() {
        let doors = Doors()
        let queue = QueueScheduler.serial("doors")
        let store = Store<[Door]>(initialState: [], scheduler: queue) { $0[DoorsKey.self] = doors }
        for round in 0..<rounds(300, stress: 3_000) {
            store.replace([.init(id: round)])
            for _ in 0..<round % 50 { _ = store.state }
            store.replace([])
        }
        let idle = DispatchSemaphore(value: 0)
        queue.schedule { idle.signal() }
        idle.wait()
        #expect(doors.openCount == 0)
    }

    @Test("OS-50: after the last hook, a property has its initial value, and a set is a no-op")
    func afterwards() {
        let fixture = Fixture<[Door]>([.init(id: 1)])
        let door = fixture.model[0]
        #expect(door.property(Door.opened).value == 1)
        fixture.after { _ in fixture.store.replace([]) }
        let property = door.property(Door.opened)
        property.value = 5
        #expect(property.value == nil)
    }
}
