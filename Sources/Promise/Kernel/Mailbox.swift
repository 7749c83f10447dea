internal import Synchronization
// The lists that cells form through `next`. What the word of a mailbox means, and its transitions: ``Mail``.

extension Cell {
    /// Replaces the word by what `desired` makes of it, and returns it as it was; nil, and nothing is changed,
    /// when `desired` says so. Either way what the word's writer wrote before is visible afterwards.
    func exchange(_ desired: (UInt) -> UInt?) -> UInt? {
        var word = mailbox.pointee.load(ordering: .acquiring)
        while let next = desired(word) {
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: next, ordering: .acquiringAndReleasing)
            if exchanged { return word }
            word = seen
        }
        return nil
    }

    /// Puts an entry on top and sets `bits`; returns the word as it was, nil where a forbidden bit is set.
    func push(_ entry: Cell, _ bits: UInt, unless forbidden: UInt) -> UInt? {
        // Counted first: once it is in there, its owner may let go of it at any moment.
        let counted = Unmanaged.passRetained(entry)
        let (address, links) = (entry.address, entry.links)
        let before = exchange { word in
            guard word & forbidden == 0 else { return nil }
            links.pointee.next = Cell.top(of: word)
            return address | word & Mail.bits | bits
        }
        if before == nil { counted.release() }
        return before
    }

    fileprivate static func top(of word: UInt) -> Unmanaged<Cell>? {
        UnsafeRawPointer(bitPattern: word & ~Mail.bits).map { Unmanaged.fromOpaque($0) }
    }
}

/// Cells linked through `next`, oldest first; each counts one reference, which `popFirst` hands over.
struct Entries {
    private var first: Unmanaged<Cell>?
    private var last: Unmanaged<Cell>?
    /// All the flags that the cells had between them when they were taken.
    private(set) var flags: UInt64 = 0

    /// What a mailbox held; of 0, none.
    init(_ word: UInt) { self.init(reversing: Cell.top(of: word)) }

    init(reversing newest: Unmanaged<Cell>?) {
        last = newest
        var node = newest
        while let current = node {
            node = current._withUnsafeGuaranteedRef { cell in
                flags |= cell.present
                defer { cell.links.pointee.next = first }
                return cell.links.pointee.next
            }
            first = current
        }
    }

    var address: UInt { first.map { $0._withUnsafeGuaranteedRef { $0.address } } ?? 0 }

    mutating func popFirst() -> Unmanaged<Cell>? {
        guard let node = first else { return nil }
        first = node._withUnsafeGuaranteedRef { $0.links.pointee.next }
        if first == nil { last = nil }
        return node
    }

    mutating func append(_ node: Unmanaged<Cell>) {
        node._withUnsafeGuaranteedRef { $0.links.pointee.next = nil }
        if let last { last._withUnsafeGuaranteedRef { $0.links.pointee.next = node } } else { first = node }
        last = node
    }

    mutating func reverse() { self = Entries(reversing: first) }

    func forEach(_ body: (Cell) -> Void) {
        var node = first
        while let current = node {
            current._withUnsafeGuaranteedRef(body)
            node = current._withUnsafeGuaranteedRef { $0.links.pointee.next }
        }
    }
}

/// The cells from one that is started up to what they wait for in the end, linked downwards, as none needs its
/// `next` before it is listed. Nothing is counted: started and not waiting, each keeps the one above it.
struct Path {
    private var highest: Unmanaged<Cell>
    private var below: Unmanaged<Cell>?
    private(set) var isOurs = true  // the topmost was started on this path

    /// Starts all that are above `cell` and have not been started.
    init(from cell: Cell, _ scheduler: (any SerialScheduler)?) {
        highest = Unmanaged.passUnretained(cell)
        while isOurs, let upstream = prepare(scheduler) {
            (below, highest) = (highest, upstream)
            let before = upstream._withUnsafeGuaranteedRef { $0.engageFromBelow() }
            isOurs = before & (Flags.started | Flags.claimed) == 0
        }
    }

    private func prepare(_ scheduler: (any SerialScheduler)?) -> Unmanaged<Cell>? {
        highest._withUnsafeGuaranteedRef { cell in
            if let scheduler { cell.scheduler = scheduler }
            guard cell.has(Flags.linked), let upstream = cell.links.pointee.upstream else { return nil }
            cell.links.pointee.next = below
            return upstream
        }
    }

    func withTop<Result>(_ body: (Cell) -> Result) -> Result { highest._withUnsafeGuaranteedRef(body) }

    /// Calls `body` with each and the one that it waits for, from the top. After that they may be gone. When a
    /// cell waits, its canceller may let go of the one above, which is kept here, unless the cell has no
    /// canceller, and so is marked as waiting already.
    func descend(_ body: (Cell, Cell) -> Void) {
        var (upper, lower) = (highest, below)
        while let cell = lower {
            lower = cell._withUnsafeGuaranteedRef { $0.links.pointee.next }
            let isHidden = cell._withUnsafeGuaranteedRef { $0.kind & Flags.waiting != 0 }
            if !isHidden { _ = upper.retain() }
            cell._withUnsafeGuaranteedRef { cell in upper._withUnsafeGuaranteedRef { body(cell, $0) } }
            if !isHidden { upper.release() }
            upper = cell
        }
    }
}
