// In how many ways a visitor may have a connection when a name is removed.

export const connectionKinds = ['http2', 'http1', 'new', 'resumed'] as const
export type ConnectionKind = (typeof connectionKinds)[number]
