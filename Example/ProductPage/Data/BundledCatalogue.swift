/// The products that the tool shows without a SOURCE: invented, and as varied as real ones.
///
/// They are a file, which goes through the same reader as anyone's page.
enum BundledCatalogue {
    static let name = "bundled catalogue"

    /// - Throws: never, as a test makes sure; but the reader's signature is not hidden behind a trap.
    static func catalogue() throws(PageError) -> Catalogue {
        try ProductReader.read(PackageResources.bundled_json, from: name)
    }
}
