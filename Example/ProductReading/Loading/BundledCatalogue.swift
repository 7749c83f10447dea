/// The products that the tool shows without a SOURCE: invented, and as varied as real ones.
///
/// They are a file, which goes through the same reader as anyone's page.
package enum BundledCatalogue {
    package static let name = "bundled catalogue"

    /// - Throws: Never, as a test makes sure; but the signature of the reader is not hidden behind a trap.
    package static func catalogue() throws(PageError) -> Catalogue {
        try ProductReader.read(PackageResources.bundled_json, from: name)
    }
}
