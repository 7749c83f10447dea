import Foundation
import Testing

@testable import ProductPage

@Suite struct CartPlaceTests {
    @Test("the cart and the folders that are made for it are for the user alone")
    func modes() throws {
        let folder = try TemporaryFolder()
        _ = try CartFile(path: folder.file("a/b/cart.json")).change { $0 = Cart(lines: [.oneA]) }
        for (name, mode) in [("a", 0o700), ("a/b", 0o700), ("a/b/cart.json", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test("the default place follows the environment")
    func defaultPath() {
        func path(_ state: String?) -> String {
            CartFile.defaultPath(environment: state.map { ["XDG_STATE_HOME": $0] } ?? [:], home: "/home/me")
        }
        #expect(path("/state") == "/state/product-page/cart.json")
        #if !canImport(Darwin)
            #expect(path(nil) == "/home/me/.local/state/product-page/cart.json")
            #expect(path("") == path(nil) && path("relative") == path(nil))
            for (home, expected) in [("/mine", "/mine"), ("mine", "/home/me"), ("", "/home/me")] {
                #expect(
                    CartFile.defaultPath(environment: ["HOME": home], home: "/home/me")
                        == expected + "/.local/state/product-page/cart.json")
            }
        #endif
    }
}
