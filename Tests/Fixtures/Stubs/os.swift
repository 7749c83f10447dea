// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// As much of os as the library names, declared as there.
//
// Written from: SDK of iOS 18.0, usr/lib/swift/os.swiftmodule/arm64-apple-ios.swiftinterface (messages, `Logger`), and
// developer.apple.com/documentation/os (signposts), as of 2026.

public struct OSLogType: Sendable {
    public static let debug = OSLogType()
    public static let info = OSLogType()
}

public struct OSLogPrivacy: Sendable {
    public static var auto: OSLogPrivacy { OSLogPrivacy() }
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
    public static var `private`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(
        _ argument: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
    ) {}
}

@available(*, unavailable)
extension OSLogInterpolation: Sendable {}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: OSLogInterpolation) {}
}

@available(*, unavailable)
extension OSLogMessage: Sendable {}

public struct Logger: @unchecked Sendable {
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
