/// The pages that are stored between runs.
enum MemoryTarget {
    static func check(_ input: [UInt8]) {
        if let entry = MemoryEntry(encoded: input) { expectKept(entry) }
        let texts = input.split(separator: 0, maxSplits: 4, omittingEmptySubsequences: false)
        let names = texts.map { String(decoding: $0, as: UTF8.self) }
        guard names.count == 5 else { return }
        expectKept(.moved(from: names[0], to: names[1]))
        let entry = MemoryEntry.page(
            WebPage(
                url: names[0], body: Array(texts[4]), charset: names[1], entityTag: names[2],
                lastModified: names[3]))
        expectKept(entry)
        expectDamageIsSeen(in: entry, by: input)
    }

    private static func expectKept(_ entry: MemoryEntry) {
        expect(MemoryEntry(encoded: entry.encoded) == entry, "what is remembered is what was")
    }

    private static func expectDamageIsSeen(in entry: MemoryEntry, by input: [UInt8]) {
        let number = input.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        var bytes = entry.encoded
        bytes[(number >> 8) % bytes.count] ^= UInt8(truncatingIfNeeded: number)
        let read = MemoryEntry(encoded: bytes)
        expect(read == nil || read == entry, "damage makes no other page")
    }
}
