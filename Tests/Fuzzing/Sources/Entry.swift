import Foundation

/// Called by libFuzzer for every input, in one thread.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Target.chosen.check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// A kind of external data that the product page or the library reads.
enum Target: String, CaseIterable {
    case json, html, entities, options, cart, keys, charsets, texts, recording

    /// Selected by an environment variable, because libFuzzer consumes the arguments.
    static let chosen: Target = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = Target(rawValue: name) else {
            fatalError("FUZZ_TARGET is one of \(allCases.map(\.rawValue)), not '\(name)'")
        }
        return target
    }()

    /// Reads the input, and ends the process if an invariant is broken.
    func check(_ input: [UInt8]) {
        switch self {
        case .json: JSONTarget.check(input)
        case .html: HTMLTarget.check(input)
        case .entities: EntityTarget.check(input)
        case .options: OptionTarget.check(input)
        case .cart: CartTarget.check(input)
        case .keys: KeyTarget.check(input)
        case .charsets: CharsetTarget.check(input)
        case .texts: TextTarget.check(input)
        case .recording: RecordingTarget.check(input)
        }
    }
}
