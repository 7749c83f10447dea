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

        @Test("a page at rest uses no processor")
        func idle() async throws {
            let home = try TemporaryFolder()
            let terminal = try PseudoTerminal(home, ["--latency", "0"], tool: try #require(measuredTool))
            try await terminal.until("Cart: empty")
            func ticks() throws -> [Int?] {
                let stat = try String(contentsOfFile: "/proc/\(terminal.process)/stat", encoding: .utf8)
                // Behind the name, which stands in parentheses: the 12th and 13th field.
                return stat.split(separator: ")")[1].split(separator: " ")[11...12].map { Int($0) }
            }
            // Threads that have done their work go after some seconds.
            try await Task.sleep(for: .seconds(10))
            let before = try ticks()
            try await Task.sleep(for: .seconds(10))
            #expect(try ticks() == before)
            terminal.type("q")
            #expect(await terminal.end() == 0)
        }
    }
#endif
