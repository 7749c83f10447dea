internal import Synchronization

// The mailbox: handlers and interim values on their way, pushed by anyone, delivered by one owner.

extension Cell {
    /// Adds a handler. It runs when the outcome is delivered; at once, in this thread's turn, when that has
    /// been done.
    func attach(_ handler: Cell, _ turn: Turn) {
        guard !turn.hasSuspended(self), let word = push(handler, 0) else { return turn.add(handler, .fire) }
        if word & Mail.settled != 0 { turn.joined(self) }
    }

    /// Passes an interim value on to the handlers of this moment, before the outcome or not at all.
    @usableFromInline
    @discardableResult
    func report(_ interim: Cell) -> Bool {
        guard !isClaimed, let word = push(interim, Mail.owned, unless: Mail.settled) else { return false }
        let turn = Turn.current
        if word & Mail.owned == 0 { turn.add(self, .deliver) }
        turn.finish()
        return true
    }

    /// Puts an entry on top of the mailbox and sets `bits`; returns the word as it was, nil when closed
    /// or in the state that forbids it.
    private func push(_ entry: Cell, _ bits: UInt, unless forbidden: UInt = 0) -> UInt? {
        let address = UInt(bitPattern: Unmanaged.passUnretained(entry).toOpaque())
        var word = mailbox.pointee.load(ordering: .relaxed)
        while true {
            guard word & (Mail.closed | forbidden) == 0 else {
                // The outcome is read by whoever runs the handler.
                _ = mailbox.pointee.load(ordering: .acquiring)
                return nil
            }
            entry.head.pointee.next = Cell.top(of: word)
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: address | word & Mail.bits | bits,
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged {
                _ = Unmanaged.passRetained(entry)
                return word
            }
            word = seen
        }
    }

    private static func top(of word: UInt) -> Unmanaged<Cell>? {
        UnsafeRawPointer(bitPattern: word & ~Mail.bits).map { Unmanaged.fromOpaque($0) }
    }

    /// Becomes the owner of a mailbox that has none, to look through it.
    func own() -> Bool {
        var word = mailbox.pointee.load(ordering: .relaxed)
        while word & (Mail.owned | Mail.settled | Mail.closed) == 0 {
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: word | Mail.owned,
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { return true }
            word = seen
        }
        return false
    }

    // MARK: Delivering; for the owner

    /// Delivers what lies in the mailbox: interim values to the handlers that came before them, then, once
    /// settled, the outcome to all. Lets go of the mailbox, or leaves itself on the thread's list.
    func deliver(on turn: Turn) {
        var handlers = Chain()
        var isPartial = false
        while true {
            let (mail, settled) = take()
            if !sort(mail, into: &handlers, turn) { isPartial = true }
            if settled { break }
            if putBack(&handlers) { return }
        }
        let again = turn.servicing(self) {
            while let handler = handlers.popFirst() {
                if !handler.fire(on: turn) { isPartial = true }
            }
        }
        if isPartial { forgetUnwantedError() }
        if !again, !close() { turn.add(self, .deliver) }
    }

    /// Passes the interim values on and lists the handlers; false when it left out cancelled ones.
    private func sort(_ mail: Chain, into handlers: inout Chain, _ turn: Turn) -> Bool {
        var mail = mail
        var isComplete = true
        while let entry = mail.popFirst() {
            let flags = entry.flags.pointee.load(ordering: .acquiring)
            if flags & Flags.interim != 0 {
                handlers.forEach { $0.pass(on: entry, turn) }
            } else if flags & Flags.claimed == 0 {
                handlers.append(entry)
            } else {
                self.flags.pointee.wrappingSubtract(Flags.withdrawn, ordering: .relaxed)
                isComplete = false
            }
        }
        return isComplete
    }

    private func pass(on interim: Cell, _ turn: Turn) {
        guard flags.pointee.load(ordering: .relaxed) & Flags.listens != 0 else { return }
        borrowing(turn) { head.pointee.step(self, interim, .interim) }
    }

    /// Empties the mailbox; what it held comes oldest first.
    private func take() -> (Chain, settled: Bool) {
        var word = mailbox.pointee.load(ordering: .relaxed)
        while true {
            let (exchanged, seen) = mailbox.pointee.weakCompareExchange(
                expected: word, desired: word & Mail.bits, successOrdering: .acquiringAndReleasing,
                failureOrdering: .relaxed)
            if exchanged { return (Chain(reversing: Cell.top(of: word)), word & Mail.settled != 0) }
            word = seen
        }
    }

    /// Lists the waiting handlers again and gives the ownership up; false when more has come meanwhile, and
    /// then `handlers` is as it was.
    private func putBack(_ handlers: inout Chain) -> Bool {
        handlers.reverse()
        let (exchanged, _) = mailbox.pointee.compareExchange(
            expected: Mail.owned, desired: handlers.address, successOrdering: .acquiringAndReleasing,
            failureOrdering: .relaxed)
        if !exchanged { handlers.reverse() }
        return exchanged
    }

    private func close() -> Bool {
        mailbox.pointee.compareExchange(
            expected: Mail.settled | Mail.owned, desired: Mail.closed,
            successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
        ).exchanged
    }
}

/// Cells linked through `next`, oldest first; each counts one reference, which `popFirst` hands over.
private struct Chain {
    private var first: Unmanaged<Cell>?
    private var last: Unmanaged<Cell>?

    init() {}

    init(reversing newest: Unmanaged<Cell>?) {
        last = newest
        var node = newest
        while let current = node {
            node = current._withUnsafeGuaranteedRef { cell in
                let next = cell.head.pointee.next
                cell.head.pointee.next = first
                return next
            }
            first = current
        }
    }

    var address: UInt { first.map { UInt(bitPattern: $0.toOpaque()) } ?? 0 }

    mutating func popFirst() -> Cell? {
        guard let cell = first?.takeRetainedValue() else { return nil }
        first = cell.head.pointee.next
        cell.head.pointee.next = nil
        if first == nil { last = nil }
        return cell
    }

    mutating func append(_ cell: Cell) {
        let node = Unmanaged.passRetained(cell)
        if let last { last._withUnsafeGuaranteedRef { $0.head.pointee.next = node } } else { first = node }
        last = node
    }

    mutating func reverse() { self = Chain(reversing: first) }

    func forEach(_ body: (Cell) -> Void) {
        var node = first
        while let current = node {
            node = current._withUnsafeGuaranteedRef { cell in
                body(cell)
                return cell.head.pointee.next
            }
        }
    }
}
