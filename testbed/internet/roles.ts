// Roles and addresses in the test internet: every server has an address of its own, and all of
// one kind share one port. Any 127.x.y.z can be bound on Linux without any set-up, so several
// test internets differ only in their ports.

export type Role =
  | 'parent'
  | 'first'
  | 'second'
  | 'third'
  | 'lame'
  | 'silent'
  | 'closed'
  | 'hostile'
  | 'hostile_udp_only'
  | 'platform'

export const addressOf: Readonly<Record<Role, string>> = {
  /** The root and the top-level domains. */
  parent: '127.0.53.1',
  /** Three servers that can serve the same zone with different content. */
  first: '127.0.53.2',
  second: '127.0.53.3',
  third: '127.0.53.4',
  /** A real server that has no zone: REFUSED. */
  lame: '127.0.53.5',
  /** Accepts queries and connections, and never answers. */
  silent: '127.0.53.6',
  /** No server listens there. */
  closed: '127.0.53.7',
  /** Ours: sends what real servers refuse to send. */
  hostile: '127.0.53.8',
  /** The same without TCP: connections are refused. */
  hostile_udp_only: '127.0.53.10',
  platform: '127.0.53.9',
}

/** Roles of real servers. */
export const knotRoles = ['parent', 'first', 'second', 'third', 'lame', 'platform'] as const
export type KnotRole = (typeof knotRoles)[number]

export const resolvers = [
  { name: 'resolver-one', address: '127.0.53.53' },
  { name: 'resolver-two', address: '127.0.53.54' },
] as const

export const isKnotRole = (role: Role): role is KnotRole => (knotRoles as readonly Role[]).includes(role)
