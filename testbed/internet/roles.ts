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

/**
 * The first half of every address. A drill that has a network namespace of its own may name another, which the program
 * takes for a public one; then servers listen on the ports of the real internet.
 */
export const network = process.env['TEST_INTERNET_NETWORK'] ?? '127.0'
export const hasOwnNetwork = network !== '127.0'

export const addressOf: Readonly<Record<Role, string>> = {
  /** The root and the top-level domains. */
  parent: `${network}.53.1`,
  /** Three servers that can serve the same zone with different content. */
  first: `${network}.53.2`,
  second: `${network}.53.3`,
  third: `${network}.53.4`,
  /** A real server that has no zone: REFUSED. */
  lame: `${network}.53.5`,
  /** Accepts queries and connections, and never answers. */
  silent: `${network}.53.6`,
  /** No server listens there. */
  closed: `${network}.53.7`,
  /** Ours: sends what real servers refuse to send. */
  hostile: `${network}.53.8`,
  /** The same without TCP: connections are refused. */
  hostile_udp_only: `${network}.53.10`,
  platform: `${network}.53.9`,
}

/** Roles of real servers. */
export const knotRoles = ['parent', 'first', 'second', 'third', 'lame', 'platform'] as const
export type KnotRole = (typeof knotRoles)[number]

export const resolvers = [
  { name: 'resolver-one', address: `${network}.53.53` },
  { name: 'resolver-two', address: `${network}.53.54` },
] as const

export const isKnotRole = (role: Role): role is KnotRole => (knotRoles as readonly Role[]).includes(role)
