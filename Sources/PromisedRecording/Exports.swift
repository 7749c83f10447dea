@_exported public import PromisedSystem
