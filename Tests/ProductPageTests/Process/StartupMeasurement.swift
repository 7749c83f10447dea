#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    private let measuredTool = ProcessInfo.processInfo.environment["MEASURE_TOOL"]

    /// Measures a release build; no part of a usual run, since a busy machine is no fault of the program.
    ///
    ///     swift build -c release --product product-page
    ///     MEASURE_TOOL=$PWD/.build/release/product-page swift test --filter StartupMeasurement
    @Suite(.enabled(if: measuredTool != nil), .serialized) struct StartupMeasurement {
        @Test("the page stands within 50 ms")
        func startup() async throws {
            let tool = try #require(measuredTool)
            let home = try TemporaryFolder()
            var times: [Duration] = []
            for _ in 1...30 {
                let begin = ContinuousClock.now
                let terminal = try PseudoTerminal(home, [], tool: tool)
                try await terminal.until { $0.updates > 0 }
                times.append(begin.duration(to: .now))
                terminal.type("q")
                _ = await terminal.end()
            }
            times.sort()
            print("first frame: median \(times[15]), best \(times[0]), worst \(times[29])")
            #expect(times[15] < .milliseconds(50))
        }

        @Test("a page that nobody touches uses no processor")
        func idle() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "0"], tool: try #require(measuredTool))
            try await terminal.until("Cart: empty")
            // Threads that have done their work go after some seconds.
            try await Task.sleep(for: .seconds(10))
            let before = try Self.use(of: terminal.process)
            try await Task.sleep(for: .seconds(10))
            let after = try Self.use(of: terminal.process)
            print("in 10 s: \(after.ticks - before.ticks) ticks, \(after.wakings - before.wakings) wakings")
            #expect(after.ticks == before.ticks)
            // Dispatch looks at its pools each second; a timer of ours, such as the spinner's, is more.
            #expect(after.wakings - before.wakings <= 11)
            terminal.type("q")
            #expect(await terminal.end() == 0)
        }

        /// The processor's time in ticks, and how often a thread went to sleep.
        private static func use(of process: pid_t) throws -> (ticks: Int, wakings: Int) {
            let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            // Behind the name, which stands in parentheses: the 12th and 13th field.
            let fields = stat.split(separator: ")")[1].split(separator: " ")
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            let wakings = try threads.map { thread in
                let path = "/proc/\(process)/task/\(thread)/status"
                let status = try String(contentsOfFile: path, encoding: .utf8)
                let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
                return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
            }
            return ((Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0), wakings.reduce(0, +))
        }
    }
#endif
