// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Ways",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PromisedSystem", path: "../..")],
    targets: [
        .executableTarget(
            name: "ways",
            dependencies: [
                .product(name: "PromisedSystem", package: "PromisedSystem"),
                .product(name: "PromisedModels", package: "PromisedSystem"),
                .product(name: "PromisedSources", package: "PromisedSystem"),
            ]),
        .executableTarget(name: "entered"),
    ],
    swiftLanguageModes: [.v6]
)
