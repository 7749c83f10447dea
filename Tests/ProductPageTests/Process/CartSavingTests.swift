@testable import ToolSupport

#if os(Linux)
    import Foundation
    import ProductReading
    import TestSupport
    import Testing

    @testable import ProductPage

    /// Saves that fail or end at any of their system calls, for want of room, or beside others.
    @Suite(.timeLimit(.minutes(20))) struct CartSavingTests {
        private static let add = "--latency 0 --cart cart.json --events load,add"
        private static let strace: ConditionTrait = .enabled(
            if: Strace.works, "strace is missing, or may not be used")

        // MARK: At each system call. In the default run a few of them; with PROMISED_ROUNDS all.

        /// What a cart may look like before it is changed.
        enum Before: String, CaseIterable {
            case kept, missing, damaged
        }

        private static let isWhole = rounds(1) > 1
        private static let calls = isWhole ? Strace.Fault.calls : ["rename", "write", "fsync"]
        private static let errors = isWhole ? ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES"] : ["ENOSPC"]
        private static let damaged = #"{"version":2,"#

        @Test("a crash or an error at any system call leaves the old cart or the new one, whole", strace)
        func everyCall() async throws {
            var points = 0
            for before in Self.isWhole ? Before.allCases : [.kept] {
                for call in Self.calls {
                    var number = 1
                    while try await add(to: before, .init(call: call, number: number, effect: "signal=KILL"))
                    {
                        for error in Self.errors {
                            _ = try await add(
                                to: before, .init(call: call, number: number, effect: "error=\(error)"))
                        }
                        points += 1 + Self.errors.count
                        number += 1
                    }
                }
            }
            #expect(points >= (Self.isWhole ? 200 : 4))
        }

        /// - Returns: Whether it crashed.
        private func add(to before: Before, _ fault: Strace.Fault) async throws -> Bool {
            let home = try TemporaryFolder()
            let store = CartFile(path: home.file("kept/cart.json"))
            let old = before == .kept ? Cart(lines: [.oneB]) : Cart()
            if before != .missing { _ = try store.change { $0 = Cart(lines: [.oneB]) } }
            if before == .damaged { try home.write(Self.damaged, to: "kept/cart.json") }
            let names = ["", "/cart.json", "/cart.json.tmp", "/cart.json.damaged-1"]
            let outcome = try await home.run(
                "--latency 0 --cart \(store.path) --events load,add",
                after: Strace.command(fault, at: names.map { home.file("kept") + $0 }))

            let what = Comment(rawValue: "\(before): \(fault): \(outcome)")
            let isCrash = outcome.code == 128 + SIGKILL
            // One clear line and the old cart, or no harm at all.
            let lines = outcome.errors.split(separator: "\n")
            if outcome.code == 0 {
                #expect(lines.allSatisfy { $0.contains("was damaged; it is kept as") }, what)
            } else if !isCrash {
                #expect(outcome.code == 1 && lines.last?.hasPrefix("product-page: ") == true, what)
            }
            func files() throws -> [String] {
                SystemReason.isMissing(home.file("kept"))
                    ? [] : try FileManager.default.contentsOfDirectory(atPath: home.file("kept"))
            }
            func strays() throws -> Int {
                try files().count { $0 != "cart.json" && !$0.hasPrefix("cart.json.damaged-") }
            }
            #expect(try strays() <= (isCrash ? 1 : 0), what)
            // What was damaged is somewhere, and only once.
            let texts = try files().map { try home.read("kept/\($0)") }
            #expect(texts.count { $0 == Self.damaged } == (before == .damaged ? 1 : 0), what)
            let cart = try store.load()
            #expect(
                cart == old || cart.lines.dropLast() == old.lines[...] && cart.count == old.count + 1, what)
            #expect(try store.change { try $0.apply(.add(.oneA)) }.cart.count == cart.count + 1, what)
            #expect(try strays() == 0, what)
            return isCrash
        }

        @Test("a folder that cannot be synced is an error, with the new cart in its place", strace)
        func unsynced() async throws {
            let home = try TemporaryFolder()
            let fault = Strace.Fault(call: "fsync", number: 1, effect: "error=EIO")
            let outcome = try await home.run(Self.add, after: Strace.command(fault, at: [home.path]))
            #expect(outcome.code == 1)
            #expect(outcome.errors == "product-page: cart cart.json: cannot be saved: Input/output error\n")
            #expect(try CartFile(path: home.file("cart.json")).load().count == 1)
            #expect(try home.visibleNames() == ["cart.json"])
        }

        // MARK: Without room

        private static let mount =
            "mkdir disk && mount -t tmpfs -o size=64k tmpfs disk && cp cart.json disk && cd disk"

        /// How a shell runs the program, why the cart then cannot be saved, and whether that can be tried here.
        static let rooms = [
            (#"(trap '' XFSZ; ulimit -f 2; "$0" "$@")"#, "File too large", true),
            (mount + #"; cat /dev/zero >fill 2>/dev/null; "$0" "$@""#, "no space left on the disk", canMount),
            (mount + #" && mount -o remount,ro .; "$0" "$@""#, "the disk is read-only", canMount),
            (#"chmod 555 .; "$0" "$@""#, "permission denied", geteuid() != 0),
        ]
        private static let canMount = BuiltTool.canRun("unshare -m mount -t tmpfs tmpfs /mnt 2>")

        @Test("a save for which there is no room is one clear line, and the old cart", arguments: rooms)
        func room(command: String, reason: String, isPossible: Bool) async throws {
            guard isPossible else { return }
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 5_000)
            try home.write(
                #"\#(command); code=$?; chmod 755 "$HOME"; ls >"$HOME/.names"; cat cart.json >"$HOME/.kept"; exit $code"#,
                to: ".script")
            // What is mounted is seen by this process alone, and gone with it.
            let shell = command.hasPrefix(Self.mount) ? "unshare -m sh" : "sh"
            let outcome = try await home.run(
                Self.add, after: #"exec \#(shell) -c "$(cat .script)" "$0" "$@""#)
            #expect(
                outcome.errors == "product-page: cart cart.json: cannot be saved: \(reason)\n"
                    && outcome.code == 1)
            #expect(try home.read(".kept") == before && home.read("cart.json") == before)
            #expect(try home.read(".names").replacing("fill\n", with: "") == "cart.json\n")
        }

        @Test(
            "a process that ends in the middle of writing leaves the old cart, and the next save works",
            strace)
        func halfWritten() async throws {
            let home = try TemporaryFolder()
            let before = try fill(home, bytes: 2_000)
            // The limit lets the first call write a part, and the next one does not come back.
            let fault = Strace.Fault(call: "write", number: 2, effect: "signal=KILL")
            let crash = Strace.command(fault, at: [home.file("cart.json.tmp")])
            #expect(try await home.run(Self.add, after: "ulimit -f 2; " + crash).code == 128 + SIGKILL)
            #expect(try home.read("cart.json") == before)
            #expect(try home.read("cart.json.tmp").utf8.count == 1_024)
            #expect(try await home.run(Self.add).code == 0)
            #expect(try home.visibleNames() == ["cart.json"])
        }

        /// - Returns: A cart's file that is somewhat larger than `bytes`.
        private func fill(_ home: borrowing TemporaryFolder, bytes: Int) throws -> String {
            let name = String(repeating: "lamp ", count: 40)
            let lines = (0...bytes / 200).map { number in
                var line = Cart.Line.oneA
                (line.product, line.name) = ("\(number)", name)
                return line
            }
            _ = try CartFile(path: home.file("cart.json")).change { $0 = Cart(lines: lines) }
            return try home.read("cart.json")
        }
    }
#endif
