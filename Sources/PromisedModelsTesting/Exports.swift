@_exported public import PromisedModels
@_exported public import PromisedTesting
