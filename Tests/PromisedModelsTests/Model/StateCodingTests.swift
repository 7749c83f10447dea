import Foundation
import PromisedModels
import Testing

/// States with wrapped properties, encoded and decoded.
struct StateCodingTests {
    @Test("A state is saved and loaded, whatever wrappers its properties have")
    func saved() throws {
        struct Draft: Model {
            struct State: Equatable, Codable, Identifiable {
                var id = 1
                @Writable var text = ""
            }
            let context: ModelContext<Draft>
        }
        struct Mail: Codable, Equatable {
            @StateModel<Draft> var draft = .init()
            var sent: IdentifiedArray<Draft.State> = []
        }
        let mail = Mail(draft: .init(id: 2, text: "a"), sent: [.init(id: 3)])
        let data = try JSONEncoder().encode(mail)
        #expect(try JSONDecoder().decode(Mail.self, from: data) == mail)
        #expect(String(decoding: data, as: UTF8.self).contains(#""text":"a""#))
    }

    @Test("A state that is declared with StateModel is encoded like a plain one, and loaded from that")
    func coding() throws {
        struct Leaf: Model {
            struct State: Codable, Equatable { var width = 1 }
            let context: ModelContext<Leaf>
        }
        struct Plain: Codable { var leaf = Leaf.State() }
        struct Wrapped: Codable, Equatable { @StateModel<Leaf> var leaf = .init() }
        let plain = try JSONEncoder().encode(Plain(leaf: .init(width: 3)))
        #expect(try JSONEncoder().encode(Wrapped(leaf: .init(width: 3))) == plain)
        #expect(try JSONDecoder().decode(Wrapped.self, from: plain) == Wrapped(leaf: .init(width: 3)))
    }

    @Test("Wrapped properties are encoded and decoded by the coder's strategies, as plain ones are")
    func strategies() throws {
        struct Leaf: Model {
            struct State: Codable, Equatable { var width = 1 }
            let context: ModelContext<Leaf>
        }
        struct Plain: Codable, Equatable {
            var date = Date(timeIntervalSince1970: 0)
            var data: Data? = Data([1, 2, 3])
            var name: String?
            var leaf: Leaf.State?
            var leaves = ["a_b": Leaf.State(), "cD": Leaf.State(width: 2)]
        }
        struct Wrapped: Codable, Equatable {
            @Writable var date = Date(timeIntervalSince1970: 0)
            @Writable var data: Data? = Data([1, 2, 3])
            @Writable var name: String? = nil
            @StateModel<Leaf?> var leaf = nil
            @StateModel<KeyedModels<String, Leaf>> var leaves = [
                "a_b": Leaf.State(), "cD": Leaf.State(width: 2),
            ]
        }
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.outputFormatting = .sortedKeys
        (encoder.dateEncodingStrategy, decoder.dateDecodingStrategy) = (.iso8601, .iso8601)
        (encoder.keyEncodingStrategy, decoder.keyDecodingStrategy) = (
            .convertToSnakeCase, .convertFromSnakeCase
        )
        let plain = try encoder.encode(Plain())
        #expect(try encoder.encode(Wrapped()) == plain)
        #expect(try decoder.decode(Wrapped.self, from: plain) == Wrapped())
    }
}
