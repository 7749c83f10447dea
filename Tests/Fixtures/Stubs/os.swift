// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of os as the library names, declared as there.

public struct OSLogType: Sendable {
    public static let debug = OSLogType()
    public static let info = OSLogType()
}

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
        _ argument: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private
    ) {}
}

public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: OSLogInterpolation) {}
}

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func log(level: OSLogType, _ message: OSLogMessage) {}
}

public typealias SignpostMetadata = OSLogMessage

public struct OSSignpostID: Sendable {}

// Neither sendable nor not, as far as its documentation says: code must fit both.
public final class OSSignpostIntervalState {}

public struct OSSignposter: Sendable {
    public init(subsystem: String, category: String) {}
    public func makeSignpostID() -> OSSignpostID { OSSignpostID() }
    public func beginInterval(
        _ name: StaticString, id: OSSignpostID, _ message: SignpostMetadata
    ) -> OSSignpostIntervalState { OSSignpostIntervalState() }
    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
}
