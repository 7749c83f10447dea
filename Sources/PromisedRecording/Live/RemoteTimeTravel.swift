internal import Promise

/// Controls a ``TimeTravel`` at the other end of a connection.
///
/// ```swift
/// import PromisedRecording
///
/// let counter = System<Int, Int>(initialState: 0, scheduler: .immediate) { .value($0 + $1) }
/// let travel = TimeTravel(counter)
/// for number in 1...3 { counter.sendEvent(number) }
///
/// let (here, there) = MemoryTransport.pair()
/// travel.serve(over: here)
/// let remote = RemoteTimeTravel(over: there)
/// try await remote.perform(.jump(to: 1)).value
/// print(counter.state)  // 1
/// ```
///
/// Each function returns a promise that sends the request when it is started. It is rejected with a
/// ``TimeTravelError`` if the other side refuses, or if the connection is closed; add a `timeout` if the other side may
/// not answer. Handlers are called on the thread of the transport.
public final class RemoteTimeTravel: Sendable {
    /// The turns that the other side keeps, and its present condition.
    public struct History: Sendable, Hashable, Codable {
        /// The turns, oldest first.
        public let turns: [Turn]
        /// The state that readers see.
        public let showing: TravelShowing
        /// Whether the system processes what arrives.
        public let condition: TravelCondition
        /// The number of pending events and answers.
        public let waiting: Int
        /// The number of events that were dropped.
        public let dropped: Int
    }

    /// A processed event.
    public struct Turn: Sendable, Hashable, Codable {
        /// The number of the turn.
        public let index: Int
        /// A description of the event; nil for the first state.
        public let event: String?
        /// Why the transition has failed; nil if it has not.
        public let error: String?
        /// When the turn was over, in the time of the system's scheduler.
        public let time: Duration
    }

    private struct Requests: Sendable {
        var lastID = 0
        var open: [Int: Resolver<TravelAnswer>] = [:]
        var isClosed = false
    }

    private let transport: any TimeTravelTransport
    private let requests = Lock(Requests())

    /// Begins to receive.
    ///
    /// - Parameter transport: The connection, which is closed when this is released.
    public init(over transport: some TimeTravelTransport) {
        self.transport = transport
        transport.receive({ [weak self] in self?.receive($0) }, onClose: { [weak self] in self?.end() })
    }

    deinit {
        transport.close()
        end()
    }

    /// Performs a command, and waits until the system has done so.
    public func perform(_ command: TravelCommand) -> Promise<Void> {
        request(TravelRequest(do: command)).map { _ in () }
    }

    /// The turns that the other side keeps.
    public func history() -> Promise<History> { look(.history, \.history) }

    /// The state of a turn: as JSON if its type is `Codable`, else as text.
    public func state(at index: Int) -> Promise<String> { look(.state(at: index), \.state) }

    /// The changes of the state in a turn, one line for each.
    public func difference(at index: Int) -> Promise<[String]> { look(.difference(at: index), \.difference) }

    // MARK: Messages

    private func look<Value: Sendable>(
        _ look: TravelRequest.Look, _ member: any KeyPath<TravelAnswer, Value?> & Sendable
    ) -> Promise<Value> {
        request(TravelRequest(look: look)).map { answer in
            guard let value = answer[keyPath: member] else {
                throw TimeTravelError.refused("The answer is not the requested one.")
            }
            return value
        }
    }

    private func request(_ request: TravelRequest) -> Promise<TravelAnswer> {
        Promise<TravelAnswer> { [self] resolver in
            var request = request
            request.id = requests.withLock { requests -> Int? in
                guard !requests.isClosed else { return nil }
                requests.lastID += 1
                requests.open[requests.lastID] = resolver
                return requests.lastID
            }
            guard request.id != nil else {
                resolver.reject(TimeTravelError.disconnected)
                return
            }
            transport.send(TravelMessage.text(request))
        }.map { answer in
            if let error = answer.error { throw TimeTravelError.refused(error) }
            return answer
        }
    }

    /// An answer that cannot be read, or that is to no request, is ignored.
    private func receive(_ message: String) {
        guard let answer = try? TravelMessage.read(TravelAnswer.self, message, limit: TravelAnswer.limit),
            let id = answer.id
        else { return }
        requests.withLock { $0.open.removeValue(forKey: id) }?.fulfill(answer)
    }

    private func end() {
        let open = requests.withLock { requests in
            requests.isClosed = true
            defer { requests.open = [:] }
            return requests.open
        }
        for resolver in open.values { resolver.reject(TimeTravelError.disconnected) }
    }
}
