public import PromisedSystem

/// Makes the probe of the system that is run again.
@usableFromInline
final class ReplayProbes<State: Sendable, Event: Sendable>: Sendable {
    @usableFromInline let make: @Sendable (RecordedWork) -> LoopProbe<State, Event>

    @inlinable
    init(_ run: ReplayRun) { make = { work in LoopProbe(work) { run.note($0) } } }
}

extension JSONValue {
    /// The value as a type that is not known here.
    func decodeAny(
        _ type: any (Decodable & Sendable).Type, repairs: inout [String]
    ) throws(DecodingProblem) -> any Sendable {
        func decode<Value: Decodable & Sendable>(_ type: Value.Type) throws(DecodingProblem) -> any Sendable {
            try self.decode(type, repairs: &repairs)
        }
        return try decode(type)
    }
}
