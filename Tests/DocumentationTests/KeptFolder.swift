import Foundation

/// Provides a folder that is kept between runs, one for each text: what was compiled there need not be compiled again.
func withKeptFolder<Result>(for text: String, _ work: (URL) async throws -> Result) async throws -> Result {
    // The same in every process, which the language's own hash is not. Two texts of one name would only take each
    // other's place: what is reused is compared as a whole.
    let name = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let folder = try Compiler.current.slot("text-\(String(name, radix: 16))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try await work(folder.resolvingSymlinksInPath())
}
