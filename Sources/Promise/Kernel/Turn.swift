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
/// touches it, so it needs no lock.
@usableFromInline
package struct Turn {
    /// What a turn keeps; never seen by another thread, and freed with its own.
    struct State {
        var list = WorkList()
        var isWorking = false
        /// The cell whose handlers are running, and whether it was listed again meanwhile.
        var serviced: Unmanaged<Cell>?
        var servicedAgain = false
        /// The cells whose delivery waits for `separate` to return.
        var suspended: [ObjectIdentifier] = []
        var graves: [Grave] = []
        var isBurying = false
        /// The scheduler whose work is running on this thread: what is started here belongs to it.
        var scheduler: (any SerialScheduler)?
    }

    /// A pointer, as a class would cost a reference count at each look.
    private let state: UnsafeMutablePointer<State>

    var scheduler: (any SerialScheduler)? {
        get { state.pointee.scheduler }
        nonmutating set { state.pointee.scheduler = newValue }
    }

    enum Task: UInt {
        /// Deliver what lies in the cell's mailbox.
        case deliver = 0
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire = 1
    }

    func add(_ cell: Cell, _ task: Task) { state.pointee.list.append(cell, task) }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !state.pointee.isWorking, !state.pointee.list.isEmpty else { return }
        state.pointee.isWorking = true
        while let (cell, task) = state.pointee.list.popFirst() {
            cell._withUnsafeGuaranteedRef { cell in
                switch task {
                case .deliver: cell.deliver(on: self)
                case .fire: cell.fire(on: self)
                }
            }
            cell.release()
        }
        state.pointee.isWorking = false
    }

    var isWorking: Bool { state.pointee.isWorking }

    /// Begins a delivery right here, if none is going on: what is set off waits for its end.
    func begin() -> Bool {
        defer { state.pointee.isWorking = true }
        return !state.pointee.isWorking
    }

    @usableFromInline
    static func begin() -> Bool { current.begin() }

    /// Ends what `begin` began.
    @usableFromInline
    static func end() {
        let turn = current
        turn.state.pointee.isWorking = false
        turn.finish()
    }

    /// Runs `body`, and what it adds to the list only afterwards, even if letting go of something in `body`
    /// settles other promises.
    func collecting(_ body: () -> Void) {
        let wasWorking = state.pointee.isWorking
        state.pointee.isWorking = true
        body()
        state.pointee.isWorking = wasWorking
        finish()
    }

    /// Runs `body` with a list of its own, so that what `body` sets off has happened when this returns,
    /// even in the middle of another delivery.
    package static func separate<Result>(_ body: () -> Result) -> Result {
        let state = Turn.current.state
        var outer = WorkList()
        swap(&outer, &state.pointee.list)
        let (wasWorking, serviced, again) =
            (state.pointee.isWorking, state.pointee.serviced, state.pointee.servicedAgain)
        (state.pointee.isWorking, state.pointee.serviced, state.pointee.servicedAgain) = (false, nil, false)
        if let serviced { state.pointee.suspended.append(serviced.id) }
        defer {
            if serviced != nil { state.pointee.suspended.removeLast() }
            swap(&outer, &state.pointee.list)
            outer.free()
            (state.pointee.isWorking, state.pointee.serviced, state.pointee.servicedAgain) =
                (wasWorking, serviced, again)
        }
        return body()
    }

    /// Runs `body` as work of `scheduler`: chains that it starts run there.
    package static func run<Result>(on scheduler: any SerialScheduler, _ body: () throws -> Result) rethrows
        -> Result
    {
        let turn = Turn.current
        let outer = turn.scheduler
        turn.scheduler = scheduler
        defer { turn.scheduler = outer }
        return try body()
    }

    /// The scheduler whose work is running on the calling thread.
    package static var currentScheduler: (any SerialScheduler)? { Turn.current.scheduler }
}

@available(*, unavailable)
extension Turn: Sendable {}

/// First in, first out: cells, each counted once, and what to do with them.
///
/// A ring of plain words, as it belongs to one thread: an entry costs a few instructions.
struct WorkList {
    private var entries = UnsafeMutableBufferPointer<UInt>(start: nil, count: 0)
    private var first = 0
    private var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ cell: Cell, _ task: Turn.Task) {
        if count == entries.count { grow(to: max(16, count * 2)) }
        let address = UInt(bitPattern: Unmanaged.passRetained(cell).toOpaque())
        entries[(first + count) & (entries.count - 1)] = address | task.rawValue
        count += 1
    }

    mutating func popFirst() -> (Unmanaged<Cell>, Turn.Task)? {
        guard count > 0 else { return nil }
        let entry = entries[first]
        first = (first + 1) & (entries.count - 1)
        count -= 1
        // What a rush has left behind is given back.
        if count == 0, entries.count > 4096 { free() }
        guard let address = UnsafeRawPointer(bitPattern: entry & ~1) else { return nil }
        return (Unmanaged.fromOpaque(address), entry & 1 == 0 ? .deliver : .fire)
    }

    private mutating func grow(to capacity: Int) {
        let larger = UnsafeMutableBufferPointer<UInt>.allocate(capacity: capacity)
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

// MARK: - Delivering

extension Turn {
    /// Runs `handlers` as the delivery of `cell`; true when the cell was put on the list again meanwhile.
    func servicing(_ cell: Cell, _ handlers: () -> Void) -> Bool {
        state.pointee.serviced = Unmanaged.passUnretained(cell)
        state.pointee.servicedAgain = false
        handlers()
        state.pointee.serviced = nil
        return state.pointee.servicedAgain
    }

    /// Whether `cell` is delivering its outcome further out on this thread, so that its mailbox waits.
    func hasSuspended(_ cell: Cell) -> Bool {
        !state.pointee.suspended.isEmpty && state.pointee.suspended.contains(ObjectIdentifier(cell))
    }

    /// A handler joined `cell` while its outcome is being delivered. If that happens in one of its own
    /// handlers, the place in the list is taken now: first in, first out holds across promises too.
    func joined(_ cell: Cell) {
        guard let serviced = state.pointee.serviced, serviced.id == ObjectIdentifier(cell),
            !state.pointee.servicedAgain
        else { return }
        state.pointee.servicedAgain = true
        add(cell, .deliver)
    }
}

// MARK: - Tearing down

extension Turn {
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
}

// MARK: - One for each thread

extension Turn {
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

extension Unmanaged {
    /// Whose reference it is.
    fileprivate var id: ObjectIdentifier { _withUnsafeGuaranteedRef { ObjectIdentifier($0) } }
}
