#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import ProductPage

    /// A save that ends, or fails, at each of its system calls. In the default run a few of them; with
    /// PROMISED_ROUNDS all.
    @Suite(.timeLimit(.minutes(20)), .enabled(if: Strace.works, "strace is missing, or may not be used"))
    struct CartCrashTests {
        /// What a cart may look like before it is changed.
        enum Before: String, CaseIterable {
            case kept, missing, damaged
        }

        private static let isWhole = rounds(1) > 1
        private static let calls = isWhole ? Strace.Fault.calls : ["rename", "write"]
        private static let errors = isWhole ? ["EIO", "ENOSPC", "EDQUOT", "EINTR", "EACCES"] : ["ENOSPC"]
        private static let befores: [Before] = isWhole ? Before.allCases : [.kept]

        @Test("a crash or an error at any system call leaves the old cart or the new one, whole")
        func everyCall() async throws {
            var points = 0
            for before in Self.befores {
                for call in Self.calls {
                    var number = 1
                    while try await crash(before, .init(call: call, number: number, effect: "signal=KILL")) {
                        for error in Self.errors {
                            try await fail(
                                before, .init(call: call, number: number, effect: "error=\(error)"))
                        }
                        points += 1 + Self.errors.count
                        number += 1
                    }
                }
            }
            #expect(points >= (Self.isWhole ? 200 : 4))
        }

        /// - Returns: Whether there was such a call.
        private func crash(_ before: Before, _ fault: Strace.Fault) async throws -> Bool {
            let home = try Home(before)
            let outcome = try await home.add(under: fault)
            let isCrash = outcome.code == 128 + SIGKILL
            #expect(isCrash || outcome.code == 0, "\(before): \(fault)")
            #expect(try home.strays.count <= 1, "\(before): \(fault)")
            try home.expectOldOrNew("\(before): \(fault)")
            try home.expectNextAddWorks("\(before): \(fault)")
            return isCrash
        }

        /// One clear line and the old cart, or no harm at all.
        private func fail(_ before: Before, _ fault: Strace.Fault) async throws {
            let home = try Home(before)
            let outcome = try await home.add(under: fault)
            home.expectClear(outcome, "\(before): \(fault)")
            #expect(try home.strays == [], "\(before): \(fault)")
            try home.expectOldOrNew("\(before): \(fault)")
        }
    }

    /// A folder in which a cart is changed once.
    private struct Home: ~Copyable {
        private let folder: TemporaryFolder
        private let before: CartCrashTests.Before

        private static let damaged = #"{"version":2,"#
        private static let old = Cart(lines: [.oneB])

        init(_ before: CartCrashTests.Before) throws {
            let folder = try TemporaryFolder()
            if before != .missing {
                _ = try CartFile(path: folder.file("kept/cart.json")).change { $0 = Self.old }
            }
            if before == .damaged { try folder.write(Self.damaged, to: "kept/cart.json") }
            self.folder = folder
            self.before = before
        }

        /// Adds a piece, with something that happens on the way.
        func add(under fault: Strace.Fault) async throws -> Outcome {
            let kept = folder.file("kept")
            let names = ["", "/cart.json", "/cart.json.$$.tmp", "/cart.json.damaged-1"]
            let command = Strace.command(fault, at: names.map { kept + $0 })
            return try await ToolRun(in: folder, after: command).run(
                ["--latency", "0", "--cart", kept + "/cart.json", "--events", "load,add"])
        }

        private var names: [String] {
            get throws {
                let path = folder.file("kept")
                return SystemReason.isMissing(path)
                    ? [] : try FileManager.default.contentsOfDirectory(atPath: path)
            }
        }

        /// What is left over.
        var strays: [String] {
            get throws { try names.filter { $0 != "cart.json" && !$0.hasPrefix("cart.json.damaged-") } }
        }

        func expectOldOrNew(_ what: String) throws {
            // What was damaged is somewhere, and only once.
            let texts = try names.map { try folder.read("kept/\($0)") }
            #expect(texts.filter { $0 == Self.damaged }.count == (before == .damaged ? 1 : 0), "\(what)")
            let cart = try CartFile(path: folder.file("kept/cart.json")).load()
            let old = before == .kept ? Self.old : Cart()
            let isNew = cart.lines.dropLast() == old.lines[...] && cart.count == old.count + 1
            #expect(cart == old || isNew, "\(what)")
        }

        func expectNextAddWorks(_ what: String) throws {
            let path = folder.file("kept/cart.json")
            let store = CartFile(path: path)
            let count = try store.load().count
            #expect(
                try store.change { cart throws(PageError) in try cart.apply(.add(.oneA)) }.cart.count == count
                    + 1,
                "\(what)")
            #expect(try strays == [], "\(what)")
        }

        func expectClear(_ outcome: Outcome, _ what: String) {
            let lines = outcome.errors.split(separator: "\n")
            if outcome.code == 0 {
                #expect(lines.allSatisfy { $0.contains("was damaged; it is kept as") }, "\(what)")
            } else {
                #expect(outcome.code == 1 && !lines.isEmpty, "\(what): \(outcome)")
                #expect(lines.last?.hasPrefix("product-page: ") == true, "\(what): \(outcome)")
            }
        }
    }
#endif
