public import Foundation
internal import Promise

extension DependencyValues {
    /// The current date.
    public var date: DateSource {
        get { self[DateKey.self] }
        set { self[DateKey.self] = newValue }
    }

    /// New unique identifiers.
    public var uuid: UUIDSource {
        get { self[UUIDKey.self] }
        set { self[UUIDKey.self] = newValue }
    }

    /// Random numbers.
    public var random: RandomSource {
        get { self[RandomKey.self] }
        set { self[RandomKey.self] = newValue }
    }

    /// The clock for delays. By default it is that of the store's scheduler, so that a test scheduler has it in virtual
    /// time.
    public var clock: any Clock<Duration> {
        get { self[ClockKey.self] }
        set { self[ClockKey.self] = newValue }
    }

    private enum DateKey: DependencyKey {
        static var liveValue: DateSource { DateSource { Date() } }
    }

    private enum UUIDKey: DependencyKey {
        static var liveValue: UUIDSource { UUIDSource { UUID() } }
    }

    private enum RandomKey: DependencyKey {
        static var liveValue: RandomSource { RandomSource(SystemRandomNumberGenerator()) }
    }

    private enum ClockKey: DependencyKey {
        static var liveValue: any Clock<Duration> { ContinuousClock() }
    }
}

/// Returns the current date: `dependency(\.date)()`.
public struct DateSource: Sendable {
    private let next: @Sendable () -> Date

    /// A source that calls a closure for each date, on the thread that reads it.
    public init(_ next: @escaping @Sendable () -> Date) { self.next = next }

    /// Always the same date.
    public static func constant(_ date: Date) -> DateSource { DateSource { date } }

    /// The date now.
    public func callAsFunction() -> Date { next() }
}

/// Returns new identifiers: `dependency(\.uuid)()`.
public struct UUIDSource: Sendable {
    private let next: @Sendable () -> UUID

    /// A source that calls a closure for each identifier, on the thread that reads it.
    public init(_ next: @escaping @Sendable () -> UUID) { self.next = next }

    /// Always the same identifier.
    public static func constant(_ id: UUID) -> UUIDSource { UUIDSource { id } }

    /// The identifiers 00000000-0000-0000-0000-000000000000, …1, …2 and so on.
    public static var incrementing: UUIDSource {
        let count = Lock(UInt64(0))
        return UUIDSource {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let digits = String(number, radix: 16)
            let last = String(repeating: "0", count: 12 - min(digits.count, 12)) + digits.suffix(12)
            return UUID(uuidString: "00000000-0000-0000-0000-\(last)") ?? UUID()
        }
    }

    /// A new identifier.
    public func callAsFunction() -> UUID { next() }
}

/// Returns random numbers, and is a generator for the functions of the standard library that need one:
///
/// ```swift
/// var random = RandomSource.seeded(3)
/// print(Int.random(in: 1...6, using: &random))
/// ```
public struct RandomSource: RandomNumberGenerator, Sendable {
    private let generate: @Sendable () -> UInt64

    /// A source of a generator's numbers. Its copies share the generator.
    public init(_ generator: some RandomNumberGenerator & Sendable) {
        let generator = Lock(generator)
        generate = { generator.withLock { $0.next() } }
    }

    /// The same numbers in every run.
    public static func seeded(_ seed: UInt64) -> RandomSource { RandomSource(SeededNumbers(state: seed)) }

    /// The next number.
    public mutating func next() -> UInt64 { generate() }
}

/// The SplitMix64 generator.
private struct SeededNumbers: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
