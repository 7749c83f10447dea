import Foundation
import Promise
import PromisedTesting
import TestSupport
import Testing

@testable import PromisedSources

/// Three devices, which are offline, are killed and lose answers at random, against what a user expects of them.
@Suite(.tags(.sharedState)) struct SyncedDevicesTests {
    typealias Note = NoteServer.Note

    @Test(
        "SA-54: of what three devices set and remove nothing is lost, nothing comes back, and all agree in the end"
    )
    func threeDevices() throws {
        Reports.begin()
        let first = firstSeed()
        for seed in first..<first &+ UInt64(rounds(200, stress: 10_000)) {
            let problems = DevicesWorld(seed: seed, devices: 3).run()
            try #require(problems == [], "seed \(seed)")
        }
    }

    @Test(
        "SA-54: one device that is killed at any operation has its last change, or the one before what was not stored"
    )
    func oneDevice() throws {
        Reports.begin()
        let first = firstSeed()
        for seed in first..<first &+ UInt64(rounds(200, stress: 10_000)) {
            let problems = DevicesWorld(seed: seed, devices: 1).run()
            try #require(problems == [], "seed \(seed)")
        }
    }
}
