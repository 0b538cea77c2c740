// The test internet: real authoritative servers and validating resolvers on loopback, for tests
// and for people who want to act as the registrar. Ready in about a second, without privileges,
// and gone without a trace when it is closed.
//
// It answers only for what is in it; nothing is ever sent to the real internet.

import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { hostileZones, startHostile, type Truth } from './hostile.ts'
import { makeSigningKey } from './keys.ts'
import { startKnot, type Knot } from './knot.ts'
import { canBindIpv6, takePorts, type Ports } from './ports.ts'
import { makeDirectory, type Daemon } from './processes.ts'
import { requirePrograms } from '../../devserver/programs.ts'
import { answerable } from './ready.ts'
import { addressOf, knotRoles, network, resolvers, type KnotRole, type Role } from './roles.ts'
import { forgetAt, startUnbound } from './unbound.ts'
import { startWeb, type Web } from './web.ts'
import { updater, writeUpdateKey, type Edit } from './update.ts'
import { holders, planZones, withParents, type WorldZone, type ZonePlan } from './zones.ts'

export type { Role } from './roles.ts'
export type { Edit } from './update.ts'
export type { WorldServer, WorldZone } from './zones.ts'

export type WorldOptions = {
  zones?: readonly WorldZone[]
  /** `real` caches answers, negative ones too, for their TTL; `off` (the default) caches nothing. */
  cache?: 'off' | 'real'
  /** Default: `petstore.test`. */
  platformHost?: string
  /** Additional lines of the platform's zone, such as an AAAA record. */
  platformRecords?: readonly string[]
  /** The true answers on which the hostile responder builds its lies. */
  truth?: Truth
  /** Whether the web servers serve HTTPS too (50 ms more). */
  webTls?: boolean
}

export type World = {
  ports: Ports
  /** Settings for our DNS client. */
  dns: {
    resolvers: readonly { name: string; address: string; port: number }[]
    authoritativePort: number
    allowedNetworks: readonly string[]
  }
  readyMs: number
  hasIpv6: boolean
  /** Contains all files; removed by close(). */
  directory: string
  processIds: readonly number[]
  /** The key for changes, readable only by the user who runs the test internet. */
  updateKeyFile: string
  /** Where the platform's zone can be changed, and a key for its challenges alone, as the settings take them. */
  challengeUpdates: { server: string; key: string }
  /**
   * Control sockets of the resolvers to flush after a change. A resolver without a cache still
   * keeps answers until the second is over, which is too long for a test that queries, edits
   * and queries again. Empty if they are to cache.
   */
  forgetsAfterEdits: readonly string[]
  /** The zones and the servers that serve them. */
  zones(): readonly { zone: string; roles: readonly KnotRole[] }[]
  addressOf(role: Role): string
  web: Web
  hostile: {
    /** Number of queries received. */
    asked(): number
    /** Sets the true answers on which its lies are built. */
    tell(truth: Truth): void
    /** Changes every message on its way out, for mutations; null stops that. */
    bend(change: ((bytes: Buffer) => Buffer) | null): void
  }
  /** Lines as in a zone file, by RFC 2136; on every server of the zone, or only on those roles. */
  edit(zone: string, edit: Edit, roles?: readonly Role[]): Promise<void>
  addZones(zones: readonly WorldZone[]): Promise<void>
  /** Flushes the caches of the resolvers. */
  forget(): Promise<void>
  close(): Promise<void>
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  requirePrograms('dns')
  const began = performance.now()
  for (let attempt = 1; ; attempt++) {
    const closers: (() => Promise<void> | void)[] = []
    const close = async (): Promise<void> => {
      for (const end of closers.splice(0).toReversed()) await end()
    }
    try {
      const world = await assemble(options, closers)
      return { ...world, readyMs: performance.now() - began, close }
    } catch (error) {
      await close()
      if (attempt >= ATTEMPTS || !isPortTaken(error)) throw error
    }
  }
}

const ATTEMPTS = 3

/** A port may be taken between our check and the start of the server: then other ports are tried. */
const isPortTaken = (error: unknown): boolean => error instanceof Error && /in use|EADDRINUSE/i.test(error.message)

async function assemble(
  options: WorldOptions,
  closers: (() => Promise<void> | void)[],
): Promise<Omit<World, 'readyMs' | 'close'>> {
  const hasIpv6 = await canBindIpv6()
  const { ports, release } = await takePorts()
  closers.push(release)
  const directory = makeDirectory()
  closers.push(() => rmSync(directory, { recursive: true, force: true }))
  const key = makeSigningKey()
  const updateKey = writeUpdateKey(directory)
  const challengeSecret = randomBytes(32).toString('base64')
  const known: WorldZone[] = [platformZone(options), ...hostileZones(), ...(options.zones ?? [])]
  const plan = planZones(known, [], key.digests)

  const hostile = await startLies(ports.authoritative, options.truth, closers)
  const web = await startWeb(
    { port: ports.web, tlsPort: ports.webTls, directory, hasTls: options.webTls ?? false },
    closers,
  )
  const daemons: Daemon[] = []
  closers.push(async () => {
    await Promise.all(daemons.map((daemon) => daemon.stop()))
  })
  const knots = await startKnots(
    plan,
    { directory, port: ports.authoritative, hasIpv6, updateSecret: updateKey.secret, challengeSecret, key },
    daemons,
  )
  const unbounds = resolvers.map((resolver) =>
    startUnbound(resolver, plan.stubs, {
      directory,
      port: ports.resolver,
      authoritativePort: ports.authoritative,
      rootDigest: key.digests.good(''),
      cache: options.cache ?? 'off',
    }),
  )
  daemons.push(...unbounds.map(({ daemon }) => daemon))
  const update = updater(ports.authoritative, updateKey.file)
  const forgetsAfterEdits = options.cache === 'real' ? [] : unbounds.map(({ controlPath }) => controlPath)
  await answerable(plan, ports, knots, unbounds)

  return {
    ports,
    hasIpv6,
    directory,
    processIds: daemons.map(({ pid }) => pid),
    dns: {
      resolvers: resolvers.map((resolver) => ({ ...resolver, port: ports.resolver })),
      authoritativePort: ports.authoritative,
      allowedNetworks: [`${network}.53.0/24`, ...(hasIpv6 ? ['::1/128'] : [])],
    },
    updateKeyFile: updateKey.file,
    challengeUpdates: {
      server: `${addressOf.platform}:${ports.authoritative}`,
      key: `challenge:hmac-sha256:${challengeSecret}`,
    },
    forgetsAfterEdits,
    zones: () => withParents(known).map((zone) => ({ zone: zone.zone, roles: holders(zone) })),
    addressOf: (role) => addressOf[role],
    web,
    hostile,
    async edit(zone, edit, roles) {
      const there = holders(withParents(known).find((one) => one.zone === zone) ?? missing(zone))
      await Promise.all(
        there.filter((role) => roles === undefined || roles.includes(role)).map((role) => update(zone, role, edit)),
      )
      await Promise.all(forgetsAfterEdits.map(forgetAt))
    },
    addZones: inTurn(async (zones: readonly WorldZone[]) => {
      const more = planZones(zones, known, key.digests)
      known.push(...zones)
      for (const daemon of daemons) daemon.hush()
      await Promise.all(knots.map((knot) => knot.hold(more.held.filter(({ role }) => role === knot.role))))
      for (const { zone, roles, lines } of more.added) {
        await Promise.all(roles.map((role) => update(zone, role, { add: lines })))
      }
      await Promise.all(unbounds.map((unbound) => unbound.learn(more.stubs)))
      await answerable(more, ports, knots, unbounds)
    }),
    async forget() {
      await Promise.all(unbounds.map((unbound) => unbound.forget()))
    },
  }
}

/** One after the other, whatever the outcome of the previous one. */
function inTurn<Input>(act: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  return (input) => {
    const turn = last.then(() => act(input))
    last = turn.catch(() => undefined)
    return turn
  }
}

async function startLies(
  port: number,
  first: Truth | undefined,
  closers: (() => Promise<void> | void)[],
): Promise<World['hostile']> {
  let truth = first ?? {
    target: 'happy-paws.petstore.test',
    token: 'petstore-verification=hostile',
    address: `${network}.80.1`,
  }
  let change: ((bytes: Buffer) => Buffer) | null = null
  const responder = await startHostile(
    port,
    () => truth,
    (bytes) => change?.(bytes) ?? bytes,
  )
  closers.push(() => responder.close())
  return {
    asked: () => responder.asked(),
    tell: (next) => {
      truth = next
    },
    bend: (next) => {
      change = next
    },
  }
}

function missing(zone: string): never {
  throw new Error(`There is no zone ${zone} in this world.`)
}

/** Records that every platform has: a host for each project, and CAA for the authorities that may issue for them. */
function platformZone({ platformHost: host = 'petstore.test', platformRecords = [] }: WorldOptions): WorldZone {
  return {
    zone: host,
    servers: [{ name: `ns1.${host}`, role: 'platform' }],
    records: [
      `@ A ${network}.80.1`,
      `* A ${network}.80.1`,
      '@ CAA 0 issue "letsencrypt.org"',
      '* CAA 0 issue "letsencrypt.org"',
      ...platformRecords,
    ],
    signing: 'good',
  }
}

type KnotSettings = Parameters<typeof startKnot>[2]

async function startKnots(plan: ZonePlan, settings: KnotSettings, daemons: Daemon[]): Promise<Knot[]> {
  return Promise.all(
    knotRoles.map(async (role: KnotRole) => {
      const knot = await startKnot(
        role,
        plan.held.filter((held) => held.role === role),
        settings,
      )
      daemons.push(knot.daemon)
      return knot
    }),
  )
}
