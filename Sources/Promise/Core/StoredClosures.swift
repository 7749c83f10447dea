// These structs wrap a closure, because a closure passed as a generic value is re-abstracted: wrapped in a second,
// heap-allocated closure.

struct Observer<Value: Sendable>: Sendable {
    let run: @Sendable (Update<Value>) -> Void
}

@usableFromInline
struct Continuation<Input, Output: Sendable>: Sendable {
    @usableFromInline let run: @Sendable (Input) throws -> Promise<Output>

    @inlinable
    init(run: @escaping @Sendable (Input) throws -> Promise<Output>) { self.run = run }
}

@usableFromInline
struct Handler<Input>: Sendable {
    @usableFromInline let run: @Sendable (Input) throws -> Void

    @inlinable
    init(run: @escaping @Sendable (Input) throws -> Void) { self.run = run }
}
