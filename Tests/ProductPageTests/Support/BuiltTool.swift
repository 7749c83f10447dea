import Foundation

/// The program as it was built, beside the tests that run.
enum BuiltTool {
    /// Next to the bundle of tests, whatever the build folder and the configuration.
    static let path: String = {
        for place in ["/proc/self/exe"] + CommandLine.arguments {
            var folder = URL(filePath: place).resolvingSymlinksInPath()
            while folder.path.count > 1 {
                folder.deleteLastPathComponent()
                let candidate = folder.appending(path: "product-page").path
                var isFolder: ObjCBool = false
                if FileManager.default.isExecutableFile(atPath: candidate),
                    FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
                    !isFolder.boolValue
                {
                    return candidate
                }
            }
        }
        return "product-page is not beside the tests"
    }()

    /// Ours, with a home of its own and no proxy on the way to the loopback.
    static func environment(home: String) -> [String: String] {
        ProcessInfo.processInfo.environment
            .filter { !$0.key.lowercased().hasSuffix("_proxy") && $0.key != "NO_COLOR" }
            .merging([
                "HOME": home, "XDG_STATE_HOME": home + "/state", "XDG_CACHE_HOME": home + "/.cache",
                "LLVM_PROFILE_FILE": "/dev/null",
            ]) { $1 }
    }

    /// Whether a command of the shell works here.
    static func canRun(_ command: String) -> Bool {
        (try? output(of: ["/bin/sh", "-c", "\(command) >/dev/null"]))?.code == 0
    }

    /// Runs another program to its end: its exit code, and what it wrote to both streams.
    static func output(of command: [String], in folder: String = "/") throws -> (code: Int32, lines: [String])
    {
        let (process, channel) = (Process(), Channel())
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = channel.writing
        process.standardError = channel.writing
        try process.run()
        channel.closeWriting()
        let lines = Array(sequence(state: channel) { $0.readLine() })
        process.waitUntilExit()
        return (process.terminationStatus, lines)
    }
}
