internal import Promise
public import PromisedSystem

/// The stubs on a test scheduler, which answer the calls of their endpoints.
final class StubHost: CallHost {
    /// Two endpoints of one name with other types are different ones.
    private struct StubKey: Hashable {
        let name: String
        let type: ObjectIdentifier

        init<Input, Value>(_ name: String, _: Stub<Input, Value>.Type) {
            (self.name, type) = (name, ObjectIdentifier(Stub<Input, Value>.self))
        }
    }

    private struct Stubs: Sendable {
        var stubs: [StubKey: any AnyObject & Sendable] = [:]
        /// Where the first one was created.
        var place: TestPlace?
        var allowsLiveCalls = false
    }

    private let contents = Lock(Stubs())

    var allowsLiveCalls: Bool {
        get { contents.withLock { $0.allowsLiveCalls } }
        set { contents.withLock { $0.allowsLiveCalls = newValue } }
    }

    func add<Input, Value>(_ stub: Stub<Input, Value>, _ place: TestPlace) {
        let replaced = contents.withLock { contents in
            contents.place = contents.place ?? place
            return contents.stubs.updateValue(stub, forKey: StubKey(stub.name, Stub<Input, Value>.self))
        }
        (replaced as? Stub<Input, Value>)?.isReplaced(at: place)
    }

    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let contents = contents.withLock { $0 }
        if let stub = contents.stubs[StubKey(call.name, Stub<Input, Output>.self)] as? Stub<Input, Output> {
            return stub(call.input)
        }
        guard let place = contents.place, !contents.allowsLiveCalls else { return call.live() }
        fail(
            """
            "\(call.name)" was called at \(call.origin), but the test has no stub of it.

            The first stub on a scheduler keeps all endpoints from calling their functions. Create a stub of this one \
            before it is called, set allowsLiveCalls of the scheduler, or find out why the code makes this call.
            """, place)
        return Promise(origin: call.origin) { resolver, _ in
            resolver.reject(UnimplementedError(name: call.name))
        }
    }
}

extension TestScheduler: CallHosting {
    @usableFromInline package var callHost: (any CallHost)? {
        get { state.withLock { $0.callHost } }
        set {
            let released = state.withLock { state in
                defer { state.callHost = newValue }
                return state.callHost
            }
            withExtendedLifetime(released) {}
        }
    }

    /// The stubs of endpoints; nil in an exploration.
    var stubs: StubHost? {
        state.withLock { state in
            if state.callHost == nil { state.callHost = StubHost() }
            return state.callHost as? StubHost
        }
    }

    /// Whether endpoints without a stub call their functions although others have a stub on this scheduler; false
    /// unless set, and then such a call fails the test. Before the first stub all endpoints call their functions.
    public var allowsLiveCalls: Bool {
        get { stubs?.allowsLiveCalls ?? false }
        set { stubs?.allowsLiveCalls = newValue }
    }
}
