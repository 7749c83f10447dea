import Foundation
import Promise

@testable import PromisedRecording

/// Counts what a recorder replaces, or fails to write anything.
final class CountingOutput: RecordingOutput {
    private let count = Lock(0)
    private let isFailing: Bool

    var earlier: Recording? { nil }
    var replacements: Int { count.withLock { $0 } }

    init(isFailing: Bool = false) { self.isFailing = isFailing }

    func write(_ lines: [UInt8]) throws(RecorderError) {
        if isFailing { throw .stopped(path: "", reason: "it is full") }
    }

    func replace(by lines: [UInt8]) throws(RecorderError) { count.withLock { $0 += 1 } }
}

/// Keeps what a recorder writes, each write only when it is let through.
final class HeldOutput: RecordingOutput {
    private let content = Lock<[UInt8]>([])
    private let gate = DispatchSemaphore(value: 0)
    private let end = Promise<Void>.pending()

    var earlier: Recording? { nil }
    var text: String { String(decoding: content.withLock { $0 }, as: UTF8.self) }
    var bytes: [UInt8] { content.withLock { $0 } }

    /// Is fulfilled when the recording has ended.
    var ended: Promise<Void> { end.promise }

    /// Lets writes through.
    func open(writes: Int = 100_000) { for _ in 0..<writes { gate.signal() } }

    func write(_ lines: [UInt8]) throws(RecorderError) {
        gate.wait()
        content.withLock { $0 += lines }
        if String(decoding: lines.suffix(2_000), as: UTF8.self).contains(#""k":"end""#) {
            end.resolver.fulfill(())
        }
    }

    func replace(by lines: [UInt8]) throws(RecorderError) { content.withLock { $0 = lines } }
}
