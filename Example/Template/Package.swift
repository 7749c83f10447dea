// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Template",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "PromisedSystem", path: "../..")],
    targets: [
        .target(
            name: "TemplateFeatures",
            dependencies: [.product(name: "PromisedSystem", package: "PromisedSystem")], path: "Features"),
        .executableTarget(
            name: "Template",
            dependencies: ["TemplateFeatures", .product(name: "PromisedSystem", package: "PromisedSystem")],
            path: "App"),
        .testTarget(
            name: "TemplateTests",
            dependencies: [
                "TemplateFeatures", .product(name: "PromisedTesting", package: "PromisedSystem"),
                .product(name: "PromisedExploring", package: "PromisedSystem"),
            ], path: "Tests"),
    ]
)
