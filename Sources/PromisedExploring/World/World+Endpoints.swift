internal import PromisedRecording
public import PromisedSystem
internal import PromisedTesting

extension World {
    /// Declares how the calls of an endpoint may turn out. The system uses its client unchanged: a call that starts on
    /// the world's scheduler is a call of the world, as those of
    /// ``call(_:_:file:line:)-(_,[Outcome<Value>],_,_)`` are.
    ///
    /// ```swift
    /// import PromisedExploring
    /// import PromisedSystem
    ///
    /// struct Offline: Error {}
    ///
    /// let price = Endpoint<String, Int>("price") { name in .value(name.count) }
    ///
    /// let explorer = Explorer<Int, String>(events: ["tea"]) { world in
    ///     world.outcomes(of: price) { name in [.value(name.count), .error(Offline())] }
    ///     return System(initialState: 0, scheduler: world.scheduler) { _, name in price(name) }
    /// }
    /// print(explorer.explore(depth: 4).states)
    /// // [0, 3]
    /// ```
    ///
    /// A call of an endpoint without a declaration violates a property of every exploration, and is never answered. Where
    /// a recorded session is explored, a call may also get its recorded answers, and needs no declaration.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint, recognized by its name and its types. A second declaration replaces the first one
    ///     for calls that begin from then on.
    ///   - outcomes: Returns the ways in which a call with an input may turn out; with none of them it is never
    ///     answered. Called when a call begins, on the thread of the exploration.
    public func outcomes<Input, Output>(
        of endpoint: Endpoint<Input, Output>, _ outcomes: @escaping @Sendable (Input) -> [Outcome<Output>]
    ) {
        let before = core.outcomes.withLock { declared in
            defer { declared[endpoint.name] = .init(outcomes: outcomes) }
            return declared
        }
        // Released outside the lock, because the deinitialization of a replaced closure may call back.
        withExtendedLifetime(before) {}
    }
}

/// How the calls of endpoints may turn out, by the names and the types of the endpoints.
struct EndpointOutcomes: Sendable {
    struct Declared<Input: Sendable, Output: Sendable>: Sendable {
        let outcomes: @Sendable (Input) -> [Outcome<Output>]
    }

    private struct OutcomesKey: Hashable {
        let name: String
        let type: ObjectIdentifier

        init(_ name: String, _ type: Any.Type) { (self.name, self.type) = (name, ObjectIdentifier(type)) }
    }

    private var declared: [OutcomesKey: any Sendable] = [:]

    subscript<Input, Output>(name: String) -> Declared<Input, Output>? {
        get { declared[OutcomesKey(name, Declared<Input, Output>.self)] as? Declared<Input, Output> }
        set { declared[OutcomesKey(name, Declared<Input, Output>.self)] = newValue }
    }
}

extension WorldCore: CallHost {
    @usableFromInline
    func perform<Input, Output>(
        _ call: EndpointCall<Input, Output>, on scheduler: any SerialScheduler
    ) -> Promise<Output> {
        let declared: EndpointOutcomes.Declared<Input, Output>? = outcomes.withLock { $0[call.name] }
        let recorded = start.withLock { $0 }?.call(call.name, call.input)
        if declared == nil, recorded == nil {
            record.add(
                Violation(
                    property: "the outcomes of \(call.name) are declared",
                    kind: .reason("it was called at \(call.origin). Declare them with world.outcomes(of:)")))
        }
        let answers = outcomes(recorded?.answers ?? [], of: call, once: recorded?.index == nil)
        return self.call(
            call.name, answers + (declared?.outcomes(call.input) ?? []), recorded: recorded?.index,
            at: call.origin)
    }

    /// The answers of a recording as outcomes.
    ///
    /// - Parameter once: Whether equal ones are one outcome.
    private func outcomes<Input, Output>(
        _ answers: [RecordedFact], of call: EndpointCall<Input, Output>, once: Bool
    ) -> [Outcome<Output>] {
        var (outcomes, known, repairs): ([Outcome<Output>], Set<[JSONValue?]>, [String]) = ([], [], [])
        for answer in answers
        where known.insert([answer["interim"], answer["out"], answer["error"]]).inserted || !once {
            do throws(DecodingProblem) {
                let answer = try RecordedAnswer<Output>(answer, call.failing, repairs: &repairs)
                if let answer { outcomes.append(Outcome(answer)) }
            } catch {
                record.add(
                    Violation(
                        property: "the recorded answers of \(call.name) can be used",
                        kind: .reason("\(error). Declare others with world.outcomes(of:)")))
            }
        }
        return outcomes
    }
}
