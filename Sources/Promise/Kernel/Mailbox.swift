internal import Synchronization

/// The word that holds what arrived at a cell: the newest entry's address with two bits, or `closed`.
///
/// Anyone may push. Only the *owner* takes entries out and delivers, so interim values and the outcome are
/// delivered by one thread at a time, in the order in which they arrived, the outcome last. Who finds the
/// cell owned leaves its message and goes: the owner looks again before it lets go.
@usableFromInline
enum Mail: Sendable {
    /// The outcome lies in `payload`. Set with release, so a reader that acquires it may read the outcome.
    static var settled: UInt { 1 }
    /// Some thread is delivering, or has put the cell on its list to do so.
    static var owned: UInt { 2 }
    /// Settled, everything delivered, nobody listed: a new handler runs at once.
    @inlinable static var closed: UInt { 4 }
    static var bits: UInt { 7 }
}

extension Cell {
    private var mailbox: UnsafeMutablePointer<Atomic<UInt>> {
        withUnsafeMutablePointerToElements {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: Atomic<UInt>.self)
        }
    }

    /// Replaces the word by what `desired` makes of it, and returns it as it was; nil, and nothing is changed,
    /// when `desired` says so. Either way what the word's writer wrote before is visible afterwards.
    private func exchange(_ desired: (UInt) -> UInt?) -> UInt? {
        var word = mailbox.pointee.load(ordering: .acquiring)
        while let next = desired(word) {
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: next, successOrdering: .acquiringAndReleasing,
                failureOrdering: .acquiring)
            if exchanged { return word }
            word = seen
        }
        return nil
    }

    /// Whether the outcome may be read.
    @usableFromInline var isSettled: Bool {
        mailbox.pointee.load(ordering: .acquiring) & (Mail.settled | Mail.closed) != 0
    }

    /// Whether it is settled and all its handlers have been told.
    var isClosed: Bool { mailbox.pointee.load(ordering: .acquiring) == Mail.closed }

    /// Makes the outcome, which lies in `payload`, visible; returns the entries when somebody must deliver it
    /// to them: the caller, who is the owner now.
    func settle() -> UInt? {
        let before = exchange { word in
            if word & Mail.owned != 0 { return word | Mail.settled }  // the owner will see it
            return word == 0 ? Mail.closed : Mail.settled | Mail.owned
        }
        guard let before, before & Mail.owned == 0, before != 0 else { return nil }
        return before
    }

    /// Lists a handler; nil when the mailbox is closed, else whether the outcome is there already.
    func list(_ handler: Cell) -> (isSettled: Bool, isOwned: Bool)? { push(handler, 0, unless: Mail.closed) }

    /// Leaves an interim value; nil when it comes too late, else whether the mailbox has an owner, as it is
    /// the caller otherwise.
    func leave(_ interim: Cell) -> (isSettled: Bool, isOwned: Bool)? {
        push(interim, Mail.owned, unless: Mail.closed | Mail.settled)
    }

    private func push(_ entry: Cell, _ bits: UInt, unless forbidden: UInt) -> (
        isSettled: Bool, isOwned: Bool
    )? {
        // Counted first: once it is in there, its owner may let go of it at any moment.
        let counted = Unmanaged.passRetained(entry)
        let address = entry.address
        let links = entry.links
        let before = exchange { word in
            guard word & forbidden == 0 else { return nil }
            links.pointee.next = Cell.top(of: word)
            return address | word & Mail.bits | bits
        }
        if before == nil { counted.release() }
        return before.map { ($0 & Mail.settled != 0, $0 & Mail.owned != 0) }
    }

    /// Its address as a plain word. By way of an opaque pointer the optimiser would not see that the object
    /// escapes, and put it on the stack.
    var address: UInt { unsafeBitCast(self, to: UInt.self) }

    fileprivate static func top(of word: UInt) -> Unmanaged<Cell>? {
        UnsafeRawPointer(bitPattern: word & ~Mail.bits).map { Unmanaged.fromOpaque($0) }
    }

    /// Becomes the owner of a mailbox that has none, to look through it.
    func own() -> Bool {
        exchange { $0 & (Mail.owned | Mail.settled | Mail.closed) == 0 ? $0 | Mail.owned : nil } != nil
    }

    // MARK: For the owner

    /// Whether nothing has come since it was emptied.
    var isEmpty: Bool { mailbox.pointee.load(ordering: .relaxed) & ~Mail.bits == 0 }

    /// Empties the mailbox; what it held comes oldest first.
    func take() -> (Entries, isSettled: Bool) {
        let word = exchange { $0 & Mail.bits } ?? 0
        return (Entries(word), word & Mail.settled != 0)
    }

    /// Lists the handlers again and gives the ownership up; false when more has come meanwhile, and then
    /// `handlers` is as it was.
    func putBack(_ handlers: inout Entries) -> Bool {
        handlers.reverse()
        if exchange({ [address = handlers.address] in $0 == Mail.owned ? address : nil }) != nil {
            return true
        }
        handlers.reverse()
        return false
    }

    /// Everybody has been told: later handlers run at once. False when some have come meanwhile.
    func close() -> Bool { exchange { $0 == Mail.settled | Mail.owned ? Mail.closed : nil } != nil }
}

/// Cells linked through `next`, oldest first; each counts one reference, which `popFirst` hands over.
struct Entries {
    private var first: Unmanaged<Cell>?
    private var last: Unmanaged<Cell>?

    init() {}

    /// What a mailbox held.
    init(_ word: UInt) { self.init(reversing: Cell.top(of: word)) }

    init(reversing newest: Unmanaged<Cell>?) {
        last = newest
        var node = newest
        while let current = node {
            node = current._withUnsafeGuaranteedRef { cell in
                let next = cell.links.pointee.next
                cell.links.pointee.next = first
                return next
            }
            first = current
        }
    }

    var address: UInt { first.map { $0._withUnsafeGuaranteedRef { $0.address } } ?? 0 }

    mutating func popFirst() -> Unmanaged<Cell>? {
        guard let node = first else { return nil }
        first = node._withUnsafeGuaranteedRef { cell in
            defer { cell.links.pointee.next = nil }
            return cell.links.pointee.next
        }
        if first == nil { last = nil }
        return node
    }

    mutating func append(_ node: Unmanaged<Cell>) {
        if let last { last._withUnsafeGuaranteedRef { $0.links.pointee.next = node } } else { first = node }
        last = node
    }

    mutating func reverse() { self = Entries(reversing: first) }

    func forEach(_ body: (Cell) -> Void) {
        var node = first
        while let current = node {
            node = current._withUnsafeGuaranteedRef { cell in
                body(cell)
                return cell.links.pointee.next
            }
        }
    }
}

extension Unmanaged<Cell> {
    var isInterim: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.interim) } }
    var isCancelled: Bool { _withUnsafeGuaranteedRef { $0.has(Flags.claimed) } }
}

/// The cells from one that is started up to what they wait for in the end, linked downwards through `next`,
/// which none of them needs before it is listed.
///
/// Nothing is counted: as long as they are started and not waiting, each keeps the next one above it.
struct Path {
    private let bottom: Unmanaged<Cell>
    private var highest: Unmanaged<Cell>
    private var below: Unmanaged<Cell>?
    /// Whether the topmost was started on this path.
    private(set) var isOurs = true

    /// Starts all of them.
    init(from cell: Cell, _ scheduler: (any SerialScheduler)?) {
        bottom = Unmanaged.passUnretained(cell)
        highest = bottom
        while let upstream = highest._withUnsafeGuaranteedRef({ $0.prepare(on: scheduler) }) {
            if let below { highest._withUnsafeGuaranteedRef { $0.links.pointee.next = below } }
            below = highest
            highest = upstream
            isOurs = upstream._withUnsafeGuaranteedRef { $0.engage() } & (Flags.started | Flags.claimed) == 0
            if !isOurs { return }
        }
    }

    func withTop<Result>(_ body: (Cell) -> Result) -> Result { highest._withUnsafeGuaranteedRef(body) }

    /// Calls `body` with each and the one that it waits for, from the top downwards. After that call they
    /// may be gone.
    func descend(_ body: (Cell, Cell) -> Void) {
        var (upper, lower) = (highest, below)
        while let cell = lower {
            var next: Unmanaged<Cell>?
            cell._withUnsafeGuaranteedRef { cell in
                if cell.address != bottom._withUnsafeGuaranteedRef({ $0.address }) {
                    next = cell.links.pointee.next
                    cell.links.pointee.next = nil
                }
                upper._withUnsafeGuaranteedRef { body(cell, $0) }
            }
            upper = cell
            lower = next
        }
    }
}

extension Cell {
    fileprivate func prepare(on scheduler: (any SerialScheduler)?) -> Unmanaged<Cell>? {
        self.scheduler = scheduler
        return has(Flags.linked) ? links.pointee.upstream : nil
    }
}
