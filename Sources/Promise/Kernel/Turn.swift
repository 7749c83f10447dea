#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What one thread has still to do: the list that keeps delivery from nesting, and the one that keeps
/// tearing down from recursing.
///
/// Whatever is settled, started or attached goes to the list of its thread; the outermost such call works
/// the list off before it returns, first in, first out. There is one turn to a thread, and no other thread
/// touches it, so it needs no lock. It is a pointer, as a class would cost a reference count at each look.
@usableFromInline
package struct Turn {
    private let state: UnsafeMutablePointer<State>

    private struct State {
        var list = WorkList()
        var isWorking = false
        /// The handler that is being fired, while the reference to it is there to be handed over.
        var lent: UInt = 0
        var delivery = Delivery()
        var graves: [Grave] = []
        var isBurying = false
        var scheduler: (any SerialScheduler)?
    }

    enum Task: UInt {
        /// Deliver what lies in the cell's mailbox.
        case deliver = 0
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire = 1
    }

    /// Whether a call further out on this thread works the list off.
    var isWorking: Bool {
        get { state.pointee.isWorking }
        nonmutating set { state.pointee.isWorking = newValue }
    }

    /// The cell whose handlers are running.
    var delivery: Delivery {
        get { state.pointee.delivery }
        nonmutating _modify { yield &state.pointee.delivery }
    }

    /// The scheduler whose work is running on this thread: what is started here belongs to it.
    var scheduler: (any SerialScheduler)? {
        get { state.pointee.scheduler }
        nonmutating set { state.pointee.scheduler = newValue }
    }

    /// Puts a cell on the list, for a delivery together with what its mailbox held.
    func add(_ cell: Cell, _ task: Task, _ mail: UInt = 0) {
        if cell.address == state.pointee.lent { state.pointee.lent = 0 } else { _ = Unmanaged.passRetained(cell) }
        state.pointee.list.append(cell.address | task.rawValue, mail)
    }

    /// Fires a handler; when that puts it on the list, the reference to it goes there.
    func fire(_ handler: Unmanaged<Cell>) -> Bool {
        handler._withUnsafeGuaranteedRef { cell in
            let (outer, address) = (state.pointee.lent, cell.address)
            state.pointee.lent = address
            let hasFired = cell.fire(on: self)
            let isStillOurs = state.pointee.lent == address
            state.pointee.lent = outer
            if isStillOurs { handler.release() }
            return hasFired
        }
    }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !isWorking, !state.pointee.list.isEmpty else { return }
        isWorking = true
        while let (entry, mail) = state.pointee.list.popFirst() { perform(entry, mail) }
        isWorking = false
    }

    private func perform(_ entry: UInt, _ mail: UInt) {
        guard let address = UnsafeRawPointer(bitPattern: entry & ~1) else { return }
        let cell = Unmanaged<Cell>.fromOpaque(address)
        guard entry & 1 == Task.deliver.rawValue else { return _ = fire(cell) }
        var settled = cell.takeRetainedValue()
        guard settled.deliver(mail, on: self) else { return }
        // Nobody who could still attach something: no need to say that it is closed.
        if !isKnownUniquelyReferenced(&settled), !settled.close() { add(settled, .deliver) }
    }

    /// Runs `body` with an empty list; the other one is back afterwards.
    func withListOfItsOwn<Result>(_ body: () -> Result) -> Result {
        var outer = WorkList()
        swap(&outer, &state.pointee.list)
        defer {
            swap(&outer, &state.pointee.list)
            outer.free()
        }
        return body()
    }

    // MARK: Tearing down

    /// What is to be let go of: a whole chain may hang on it.
    enum Grave {
        case cell(Unmanaged<Cell>)
        /// The two words of a closure. All closures are alike there, so its type does not matter.
        case work(Closure)
    }

    typealias Closure = (code: UInt, context: UInt)

    /// Lets go of something without recursing, whatever hangs on it.
    func bury(_ grave: Grave) {
        state.pointee.graves.append(grave)
        guard !state.pointee.isBurying else { return }
        state.pointee.isBurying = true
        // What the end of one grave lets go of comes back here as one more.
        while let next = state.pointee.graves.popLast() { release(next) }
        if state.pointee.graves.capacity > 1024 { state.pointee.graves = [] }
        state.pointee.isBurying = false
    }

    private func release(_ grave: Grave) {
        switch grave {
        case .cell(let cell): cell.release()
        case .work(var closure):
            withUnsafeMutableBytes(of: &closure) {
                _ = $0.baseAddress?.assumingMemoryBound(to: (@Sendable () -> Void).self).deinitialize(
                    count: 1)
            }
        }
    }

    // MARK: One for each thread

    @usableFromInline static var current: Turn {
        if let known = pthread_getspecific(key) {
            return Turn(state: known.assumingMemoryBound(to: State.self))
        }
        return install()
    }

    @inline(never)
    private static func install() -> Turn {
        let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
        state.initialize(to: State())
        pthread_setspecific(key, state)
        return Turn(state: state)
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Optional on some platforms, never nil on any.
            let pointer: UnsafeMutableRawPointer? = pointer
            guard let state = pointer?.assumingMemoryBound(to: State.self) else { return }
            state.pointee.list.free()
            state.deinitialize(count: 1)
            state.deallocate()
        }
        return key
    }()
}

@available(*, unavailable)
extension Turn: Sendable {}

/// First in, first out: cells, each counted once, what to do with them, and what their mailboxes held.
///
/// A ring of plain words, as it belongs to one thread: an entry costs a few instructions.
private struct WorkList {
    private typealias Entry = (cell: UInt, mail: UInt)

    private var entries = UnsafeMutableBufferPointer<Entry>(start: nil, count: 0)
    private var first = 0
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ cell: UInt, _ mail: UInt) {
        if count == entries.count { grow(to: max(16, count * 2)) }
        entries[(first + count) & (entries.count - 1)] = (cell, mail)
        count += 1
    }

    mutating func popFirst() -> (cell: UInt, mail: UInt)? {
        guard count > 0 else { return nil }
        let entry = entries[first]
        first = (first + 1) & (entries.count - 1)
        count -= 1
        // What a rush has left behind is given back.
        if count == 0, entries.count > 4096 { free() }
        return entry
    }

    private mutating func grow(to capacity: Int) {
        let larger = UnsafeMutableBufferPointer<Entry>.allocate(capacity: capacity)
        for index in 0..<count { larger[index] = entries[(first + index) & (entries.count - 1)] }
        entries.deallocate()
        entries = larger
        first = 0
    }

    /// Gives the memory back; when empty.
    mutating func free() {
        entries.deallocate()
        entries = UnsafeMutableBufferPointer(start: nil, count: 0)
        first = 0
    }
}
