/// The version of the package, as `CHANGELOG.md` has it: what the tools print and send.
package enum Version {
    package static let current = "0.1.0"
}
