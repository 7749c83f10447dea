internal import Promise

/// The effect of an answer, or of a value from elsewhere, on the value at that time.
struct FetchUpdate<Value: Sendable>: Sendable {
    /// The new value, where it does not depend on the one before.
    let whole: Value?
    private let function: @Sendable (inout Value?) -> Void

    init(_ whole: Value) {
        self.whole = whole
        function = { $0 = whole }
    }

    init(by function: @escaping @Sendable (inout Value?) -> Void) { (whole, self.function) = (nil, function) }

    /// An update of a present value; without one, a no-op.
    init(ofPresent function: @escaping @Sendable (inout Value) -> Void) {
        self.init(by: { if $0 != nil { function(&$0!) } })
    }

    func apply(to value: inout Value?) { function(&value) }
}

// Functions can't be compared.
extension FetchUpdate: Equatable where Value: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.whole == right.whole }
}

extension FetchUpdate: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(whole) }
}

/// A change of a value that the server has not answered yet: a guess, then the answer, each a function of the value
/// at that time.
///
/// Its closures can't be compared: two changes are taken for equal if they were made at one place in the source code
/// and have one number.
struct FetchChange<Value: Sendable>: Sendable, Hashable {
    /// Differs from those of the other changes that wait.
    var number = 0
    /// The part of the value that is fetched, such as a further page; nil for a change on the server. A part is fetched
    /// for an observer, and not twice at a time.
    var part: String?
    /// The request that it shares with other keys; nil if it is the only one.
    var shared: ObjectIdentifier?
    let origin: Origin
    let guess: @Sendable (inout Value) -> Void
    /// Makes the request, given the last value of the server.
    let send: @Sendable (Value?) -> Promise<FetchUpdate<Value>>
    /// Called when its answer has been applied, or with the reason why there is none.
    var end: @Sendable ((any Error)?) -> Void = { _ in }

    static func == (left: FetchChange, right: FetchChange) -> Bool {
        left.number == right.number && left.part == right.part && left.origin == right.origin
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(number)
        hasher.combine(part)
        hasher.combine(origin)
    }
}
