import Foundation

/// Where programs keep their own files: `$XDG_STATE_HOME`, else `~/.local/state`, and Application Support on Apple's
/// systems.
package enum StateFolder {
    /// - Parameter name: The path of a file inside the folder.
    package static func path(
        of name: String, environment: [String: String] = ProcessInfo.processInfo.environment,
        home: String = NSHomeDirectory()
    ) -> String {
        // The specification says to ignore a relative path.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/\(name)" }
        // Foundation gives the user's entry in the system's list, whatever the shell says.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        #if canImport(Darwin)
            return "\(home)/Library/Application Support/\(name)"
        #else
            return "\(home)/.local/state/\(name)"
        #endif
    }
}
