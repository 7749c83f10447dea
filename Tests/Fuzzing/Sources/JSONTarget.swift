/// JSON and JSON-LD.
enum JSONTarget {
    static func check(_ input: [UInt8]) { expectCatalogueOrReason(input) }
}
