#if os(Linux)
    import Foundation
    import Testing

    @testable import ProductPage

    /// Places where nothing more can be written.
    @Suite(.timeLimit(.minutes(10))) struct CartDiskTests {
        @Test("a save beyond what a process may write is one clear line, and the old cart")
        func limit() async throws {
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 2_000)
            let outcome = try await add(in: home, after: "trap '' XFSZ; ulimit -f 2")
            #expect(outcome.code == 1)
            #expect(outcome.errors == "product-page: cart cart.json: cannot be saved: File too large\n")
            #expect(try home.read("cart.json") == before)
            #expect(try home.visibleNames() == ["cart.json"])
        }

        @Test(
            "a process that ends in the middle of writing leaves the old cart, and the next save works",
            .enabled(if: Strace.works, "strace is missing, or may not be used"))
        func halfWritten() async throws {
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 2_000)
            // The limit lets the first call write a part, and the next one does not come back.
            let fault = Strace.Fault(call: "write", number: 2, effect: "signal=KILL")
            let crash = Strace.command(fault, at: [home.file("cart.json.$$.tmp")])
            let outcome = try await add(in: home, after: "ulimit -f 2; " + crash)
            #expect(outcome.code == 128 + SIGKILL)
            #expect(try home.read("cart.json") == before)
            let stray = try #require(try home.visibleNames().first { $0.hasSuffix(".tmp") })
            #expect(try home.read(stray).utf8.count == 1_024)
            #expect(try await add(in: home, after: ":").code == 0)
            #expect(try home.visibleNames() == ["cart.json"])
        }

        @Test(
            "a folder that cannot be synced is an error, with the new cart in its place",
            .enabled(if: Strace.works, "strace is missing, or may not be used"))
        func unsynced() async throws {
            let home = try TemporaryFolder()
            let fault = Strace.Fault(call: "fsync", number: 1, effect: "error=EIO")
            let outcome = try await add(in: home, after: Strace.command(fault, at: [home.path]))
            #expect(outcome.code == 1)
            #expect(outcome.errors == "product-page: cart cart.json: cannot be saved: Input/output error\n")
            #expect(try CartFile(path: home.file("cart.json")).load().count == 1)
            #expect(try home.visibleNames() == ["cart.json"])
        }

        @Test(
            "a disk that is full, or only to be read, is one clear line, and the old cart",
            .enabled(if: canMount, "needs root and a file system of its own"),
            arguments: [
                ("cat /dev/zero >disk/fill 2>/dev/null", "no space left on the disk"),
                ("mount -o remount,ro disk", "the disk is read-only"),
            ])
        func disk(change: String, reason: String) async throws {
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 5_000)
            // What is mounted here is seen by this process alone, and gone with it.
            let script = """
                mkdir disk && mount -t tmpfs -o size=64k tmpfs disk && cp cart.json disk/cart.json || exit 9
                \(change)
                "$0" --latency 0 --cart disk/cart.json --events load,add
                code=$?
                ls -A disk >names
                cat disk/cart.json >cart.json
                exit $code
                """
            try home.write(script, to: "script")
            let outcome = try await ToolRun(in: home, after: #"exec unshare -m sh -c "$(cat script)" "$0""#)
                .run([])
            #expect(outcome.code == 1)
            #expect(outcome.errors == "product-page: cart disk/cart.json: cannot be saved: \(reason)\n")
            #expect(try home.read("cart.json") == before)
            let names = try home.read("names").split(separator: "\n").filter { $0 != "fill" }
            #expect(names == ["cart.json"])
        }

        @Test(
            "a folder that may only be read is one clear line", .enabled(if: geteuid() != 0, "root may all"))
        func folder() async throws {
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 500)
            let outcome = try await add(
                in: home, after: #"chmod 555 .; trap 'chmod 755 .' 0; "$0" "$@"; exit"#)
            #expect(outcome.code == 1)
            #expect(outcome.errors == "product-page: cart cart.json: cannot be saved: permission denied\n")
            #expect(try home.read("cart.json") == before)
        }

        private static let canMount: Bool = {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "unshare -m mount -t tmpfs tmpfs /mnt 2>/dev/null"]
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        private func add(in home: borrowing TemporaryFolder, after preparation: String) async throws
            -> Outcome
        {
            try await ToolRun(in: home, after: preparation)
                .run("--latency", "0", "--cart", "cart.json", "--events", "load,add")
        }

        /// - Returns: A cart's file that is somewhat larger than `bytes`.
        private func fill(_ home: borrowing TemporaryFolder, bytes: Int) throws -> String {
            let name = String(repeating: "lamp ", count: 40)
            let lines = (0...bytes / 200).map {
                Cart.Line(id: .init(source: "shop", product: "\($0)"), name: name)
            }
            _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: lines) }
            return try home.read("cart.json")
        }
    }
#endif
