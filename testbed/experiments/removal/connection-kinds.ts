// The kinds of connection that a visitor may have when a domain is removed.

export const connectionKinds = ['http2', 'http1', 'new', 'resumed'] as const
export type ConnectionKind = (typeof connectionKinds)[number]
