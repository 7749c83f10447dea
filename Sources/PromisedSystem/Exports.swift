@_exported public import Promise
