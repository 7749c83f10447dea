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
package final class Turn {
    @exclusivity(unchecked) private var list = FIFO<(cell: Cell, task: Task)>()
    @exclusivity(unchecked) private var isWorking = false
    /// The cell whose handlers are running, and whether it was listed again meanwhile.
    @exclusivity(unchecked) private(set) var serviced: Cell?
    @exclusivity(unchecked) private var servicedAgain = false
    /// The cells whose delivery waits for `separate` to return.
    @exclusivity(unchecked) private var suspended: [ObjectIdentifier] = []
    @exclusivity(unchecked) private var graves: [Grave] = []
    @exclusivity(unchecked) private var isBurying = false
    /// The scheduler whose work is running on this thread: what is started here belongs to it.
    @exclusivity(unchecked) var scheduler: (any SerialScheduler)?

    enum Task {
        /// Deliver what lies in the cell's mailbox.
        case deliver
        /// Let the cell act on the outcome of its upstream, or begin its work.
        case fire
    }

    func add(_ cell: Cell, _ task: Task) { list.append((cell, task)) }

    /// Works the list off, unless a call further out on this thread is doing so.
    @usableFromInline
    func finish() {
        guard !isWorking, !list.isEmpty else { return }
        isWorking = true
        while let (cell, task) = list.popFirst() {
            switch task {
            case .deliver: cell.deliver(on: self)
            case .fire: cell.fire(on: self)
            }
        }
        isWorking = false
    }

    /// Runs `body`, and what it adds to the list only afterwards, even if letting go of something in `body`
    /// settles other promises.
    func collecting(_ body: () -> Void) {
        let wasWorking = isWorking
        isWorking = true
        body()
        isWorking = wasWorking
        finish()
    }

    /// Runs `body` with a list of its own, so that what `body` sets off has happened when this returns,
    /// even in the middle of another delivery.
    package static func separate<Result>(_ body: () -> Result) -> Result {
        let turn = Turn.current
        var outer = FIFO<(cell: Cell, task: Task)>()
        swap(&outer, &turn.list)
        let (wasWorking, serviced, again) = (turn.isWorking, turn.serviced, turn.servicedAgain)
        (turn.isWorking, turn.serviced, turn.servicedAgain) = (false, nil, false)
        if let serviced { turn.suspended.append(ObjectIdentifier(serviced)) }
        defer {
            if serviced != nil { turn.suspended.removeLast() }
            swap(&outer, &turn.list)
            (turn.isWorking, turn.serviced, turn.servicedAgain) = (wasWorking, serviced, again)
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

// MARK: - Delivering

extension Turn {
    /// Runs `handlers` as the delivery of `cell`; true when the cell was put on the list again meanwhile.
    func servicing(_ cell: Cell, _ handlers: () -> Void) -> Bool {
        serviced = cell
        servicedAgain = false
        handlers()
        serviced = nil
        return servicedAgain
    }

    /// Whether `cell` is delivering its outcome further out on this thread, so that its mailbox waits.
    func hasSuspended(_ cell: Cell) -> Bool {
        !suspended.isEmpty && suspended.contains(ObjectIdentifier(cell))
    }

    /// A handler joined `cell` while its outcome is being delivered. If that happens in one of its own
    /// handlers, the place in the list is taken now: first in, first out holds across promises too.
    func joined(_ cell: Cell) {
        guard serviced === cell, !servicedAgain else { return }
        servicedAgain = true
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
        graves.append(grave)
        guard !isBurying else { return }
        isBurying = true
        // What the end of one grave lets go of comes back here as one more.
        while let next = graves.popLast() { release(next) }
        if graves.capacity > 1024 { graves = [] }
        isBurying = false
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
            return Unmanaged<Turn>.fromOpaque(known).takeUnretainedValue()
        }
        return install()
    }

    @inline(never)
    private static func install() -> Turn {
        let turn = Turn()
        pthread_setspecific(key, Unmanaged.passRetained(turn).toOpaque())
        return turn
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // Optional on some platforms, never nil on any.
            let pointer: UnsafeMutableRawPointer? = pointer
            if let pointer { Unmanaged<Turn>.fromOpaque(pointer).release() }
        }
        return key
    }()
}
