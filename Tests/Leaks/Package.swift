// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Leaks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PromisedSystem", path: "../..")],
    targets: [
        .target(name: "MemoryInUse"),
        .executableTarget(
            name: "promise-leaks",
            dependencies: ["MemoryInUse", .product(name: "Promise", package: "PromisedSystem")],
            path: "Sources/PromiseLeaks"),
        .executableTarget(
            name: "system-soak",
            dependencies: ["MemoryInUse", .product(name: "PromisedSystem", package: "PromisedSystem")],
            path: "Sources/SystemSoak"),
    ],
    swiftLanguageModes: [.v6]
)
