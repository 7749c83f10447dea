// Otherwise a case inside another value, such as the reason in an outcome, is printed with its module and type arguments.
extension LoopRecord.Outcome: CustomStringConvertible {
    /// Text for use within a sentence, such as "failed: timeout" or "dropped: busy".
    public var description: String {
        switch self {
        case .settled: "settled"
        case .failed(let error): "failed: \(ValueText(event: error))"
        case .cancelled: "cancelled"
        case .missed: "missed: its part of the state does not exist"
        case .stopped: "stopped by middleware"
        case .dropped(let reason): "dropped: \(reason)"
        }
    }
}

extension LoopRecord.DropReason: CustomStringConvertible {
    /// The name of the case.
    public var description: String {
        switch self {
        case .busy: "busy"
        case .debounced: "debounced"
        case .throttled: "throttled"
        case .withdrawn: "withdrawn"
        case .runaway: "runaway"
        }
    }
}
