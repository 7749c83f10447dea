/// JSON and JSON-LD: the syntax, and the values read from it.
enum JSONTarget {
    static func check(_ input: [UInt8]) {
        expectCatalogueOrReason(input)
        var reader = JSONReader(input)
        if let value = try? reader.document() { expectReadAgain(value) }
        var lenient = JSONReader(input, allowsControlCharacters: true)
        if let value = try? lenient.document() { expectReadAgain(value) }
    }
}
