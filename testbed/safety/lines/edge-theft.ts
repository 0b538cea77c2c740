// Stolen credentials of an edge are worth little: a leaked enrolment token gives access to no private key, and the
// operator sees that it was presented again; a stolen host, with its key pair, receives private keys up to its limit, in all
// processes together, and nothing a second after it was revoked. A new edge still has every certificate at once.

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { openKeys, type Keys } from '../../../server/src/certificates/key-encryption.io.ts'
import { parseConfig } from '../../../server/src/program/config.ts'
import { contextOf } from '../../../server/src/program/context.ts'
import { startControl, type RunningControl } from '../../../server/src/program/control.ts'
import { startEdge } from '../../../server/src/program/edge.ts'
import { openIdentity, type EdgeIdentity } from '../../../server/src/edge/identity.io.ts'
import { listEdges, putRoute } from '../../../server/src/fleet/directory.io.ts'
import { addEdge, revokeEdge } from '../../../server/src/fleet/edge-tokens.io.ts'
import { CERTIFICATES_PATH, CHANGES_PATH, ENROLMENT_PATH } from '../../../server/src/fleet/protocol.ts'
import { makeFakeChain } from '../../harness/fake-chain.ts'
import { newId } from '../../../server/src/foundation/ids.io.ts'
import { openDatabase, statement, type Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { Secret } from '../../../server/src/foundation/secret.ts'
import { exchange, type RawRequest, type Received } from '../../harness/http.ts'
import { edgeOfEarlierRelease, newEdgeKeys } from '../../harness/test-edges.ts'
import { makeDirectory, until } from '../../internet/processes.ts'
import { inParallel } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'

const tiers = {
  /** So few names have a limit of 100, unless it is set. */
  small: { names: 24, env: { EDGE_KEYS_PER_HOUR: '10' }, most: 10, revokedMs: 10_000 },
  large: { names: 2500, env: {}, most: 1000, revokedMs: 1000 },
}
const SERVICE = 'app.stolen.example'
const PROCESSES = 2
const PATIENCE_MS = 600_000

export const safetyLine: SafetyLine = {
  title: 'A leaked token of an edge gives access to no private key, and a stolen edge to few',
  sizes: { small: '24 names', large: '2,500 names' },
  guards: [{ name: 'signed-requests', instead: 'a bearer token', isQuick: true }],
  run,
}

type Theft = {
  database: Database
  send: (request: RawRequest, n?: number) => Promise<Received>
  names: readonly string[]
  lines: readonly string[]
  controlUrl: string
}

async function run({ tier, without, createDatabase, report }: SafetyRun): Promise<void> {
  const { names: count, env, most, revokedMs } = tiers[tier]
  const { appUrl } = await createDatabase()
  const config = parseConfig({ DATABASE_URL: appUrl, CONTROL_PORT: '0', ...env })
  const database = openDatabase({ url: appUrl, poolMax: 10, onError: () => {} })
  const keys = openKeys([{ id: 'safety', key: new Secret(randomBytes(32).toString('base64')) }])
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const lines: string[] = []
  const logger = { level: 'warn', stream: { write: (line: string) => void lines.push(line) } }
  const controls: RunningControl[] = []
  const directory = makeDirectory()
  try {
    const names = await certified(database, keys, count)
    for (let n = 0; n < PROCESSES; n++)
      controls.push(
        await startControl({ ...contextOf(config, database), keys }, (_, reply) => void reply.send(''), { logger }),
      )
    const originOf = (n: number) => `http://127.0.0.1:${controls[n % PROCESSES]?.port}`
    const theft: Theft = {
      database,
      send: (request, n = 0) => exchange(originOf(n), request, agent),
      names,
      lines,
      controlUrl: originOf(0),
    }
    // Before there were enrolments, the token was the credential.
    const leaked =
      without === 'signed-requests' ? (await edgeOfEarlierRelease(database.run, 'edge-1')).token : undefined
    const host = leaked === undefined ? await filledEdge(theft, directory) : undefined
    if (host) report({ 'certificates that a new edge has at once': count })
    const received = await byToken(theft, leaked ?? host?.token ?? '')
    report({ 'private keys by a leaked token': received })
    must(received === 0, `a leaked token gives access to ${received} private keys`)
    if (!host) return
    const exported = await byStolenHost(theft, host.identity, 2 * most + count)
    report({ 'private keys to a stolen host in an hour': exported, 'its limit': most })
    must(exported <= most, `a stolen host has received ${exported} private keys; its limit is ${most}`)
    must(exported >= most, `an edge has received ${exported} private keys; it may receive ${most}`)
    const ms = await revocation(theft, host.identity)
    report({ 'ms until a revoked host is rejected': ms })
    must(ms <= revokedMs, `a revoked host was rejected after ${ms} ms`)
  } finally {
    agent.destroy()
    await Promise.all(controls.map((control) => control.stop()))
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const putCertificates = statement<never, [names: string[], serials: string[], chains: string[], sealed: Buffer[]]>(
  'safety-put-certificates',
  `with wished as (
     insert into certificate_wishes (hostname, generation, client, registered, authorities, evidence, tell_kind,
       tell_project, tell_id)
     select hostname, 1, 'safety', 'stolen.example', '{none}', '', 'none', 0, ''
     from unnest($1::text[]) as hostname
   )
   insert into certificates (hostname, generation, client, authority, serial, not_before, not_after, chain, seal_id,
     sealed_key, renew_at)
   select hostname, 1, 'safety', 'none', serial, now(), now() + interval '90 days', chain, 'safety', sealed,
     now() + interval '60 days'
   from unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) as given (hostname, serial, chain, sealed)`,
)

/** So many names with a certificate each, and the name of the API, which is not for every edge. */
async function certified(database: Database, keys: Keys, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, n) => `shop-${n}.stolen.example`)
  const made = await inParallel(4, count + 1, async (n) => {
    const hostname = names[n] ?? SERVICE
    const serial = `4${randomBytes(8).toString('hex').slice(1)}`
    const { chainPem, keyPem } = await makeFakeChain({ hostnames: [hostname], serialNumber: serial })
    return {
      hostname,
      serial,
      chainPem,
      sealed: keys.seal(keyPem, { hostname, generation: 1n, purpose: 'certificate' }),
    }
  })
  await database.run(
    putCertificates,
    made.map(({ hostname }) => hostname),
    made.map(({ serial }) => serial),
    made.map(({ chainPem }) => chainPem),
    made.map(({ sealed }) => sealed),
  )
  for (const { hostname, serial } of made) {
    const leads =
      hostname === SERVICE ? ({ kind: 'service', serial } as const) : ({ kind: 'site', slug: 'shop', serial } as const)
    await database.transaction({}, (db) => putRoute(db, hostname, 1n, leads))
  }
  return names
}

/** An edge that has enrolled, has every certificate, and is then stolen with its disk and its settings. */
async function filledEdge({ database, names, controlUrl }: Theft, directory: string) {
  const { token } = await addEdge({ run: database.run, newId, randomBytes }, 'edge-1')
  const key = randomBytes(32).toString('base64')
  const config = parseConfig({
    DATABASE_URL: 'postgresql://',
    PLATFORM_HOST: 'petstore.test',
    LOG_LEVEL: 'silent',
    EDGE_CONTROL_URL: controlUrl,
    EDGE_TOKEN: token,
    EDGE_KEY: key,
    EDGE_DIRECTORY: directory,
    EDGE_PORT: '0',
    EDGE_CERTIFICATE_PORT: '0',
  })
  const edge = await startEdge(config)
  try {
    const files = () => readdirSync(join(directory, 'certificates')).length
    await until('That the edge has every certificate', async () => files() === names.length, PATIENCE_MS)
  } finally {
    await edge.stop()
  }
  const stolen = { controlUrl, controlRoots: undefined, token: undefined, directory, key: new Secret(key) }
  return { token, identity: await openIdentity(stolen) }
}

const pathOf = (hostname: string) => `${CERTIFICATES_PATH}${hostname}?generation=1`

/** The private keys that are received with a token that was used, with one that has expired, and with one that was not used. */
async function byToken({ database, send, names, lines }: Theft, used: string): Promise<number> {
  const deps = { run: database.run, newId, randomBytes }
  const { token: expired } = await addEdge(deps, 'expired', { enrolmentSeconds: 0 })
  const { token: unused } = await addEdge(deps, 'unused')
  const isKey = ({ text }: Received) => text.includes('PRIVATE KEY') || text.includes('sealedKey')
  let received = 0
  for (const token of [used, expired, unused]) {
    const headers = { Authorization: `Bearer ${token}` }
    const answers = await inParallel(4, Math.min(names.length, 20), (n) =>
      send({ path: pathOf(names[n] ?? ''), headers }, n),
    )
    received += answers.filter(isKey).length
  }
  if (received > 0) return received
  const form = 'application/x-www-form-urlencoded'
  for (const token of [used, expired]) {
    const { signKey, sealKey } = newEdgeKeys().public
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': form }
    const body = `sign=${signKey}&seal=${sealKey}`
    const { status } = await send({ method: 'POST', path: ENROLMENT_PATH, headers, body })
    must(status === 401, `a leaked token enrols another edge: ${status}`)
  }
  const seen = (await listEdges(database.run, 2)).filter(({ tokenMisusedAt }) => tokenMisusedAt !== null)
  must(seen.length === 2, `the operator sees ${seen.length} of 2 tokens that were presented again`)
  const logged = lines.filter((line) => line.includes('an enrolment token was used'))
  must(logged.length === 2, `the log has ${logged.length} of 2 tokens that were presented again`)
  return 0
}

/** The private keys that a stolen host can open, of so many that it requests from all processes. */
async function byStolenHost({ database, send, names, lines }: Theft, identity: EdgeIdentity, attempts: number) {
  const ask = async (hostname: string, n: number) => {
    const url = pathOf(hostname)
    const Authorization = await identity.authorize({ method: 'GET', url, headers: {} })
    return send({ path: url, headers: { Authorization } }, n)
  }
  const { status } = await ask(SERVICE, 0)
  must(status === 404, `an edge that serves sites gets ${status} for the private key of the API`)
  const answers = await inParallel(8, attempts, (n) => ask(names[n % names.length] ?? '', n))
  const opened = answers.filter(
    (one) => one.status === 200 && identity.openKey(one.json as never)?.includes('PRIVATE KEY'),
  )
  const stopped = (await listEdges(database.run, 2)).filter(({ exportStoppedAt }) => exportStoppedAt !== null)
  must(stopped.length === 1, 'the operator does not see that an edge was stopped')
  must(
    lines.some((line) => line.includes('as many private keys as it may')),
    'the log does not say that an edge was stopped',
  )
  return opened.length
}

/** How long a host that keeps sending requests is still accepted by any process after it was revoked. */
async function revocation({ database, send }: Theft, identity: EdgeIdentity): Promise<number> {
  const url = `${CHANGES_PATH}?after=0&protocol=3`
  const isAccepted = async (n: number) => {
    const Authorization = await identity.authorize({ method: 'GET', url, headers: {} })
    return (await send({ path: url, headers: { Authorization } }, n)).status === 200
  }
  for (let n = 0; n < PROCESSES; n++) must(await isAccepted(n), 'an edge that was not revoked is rejected')
  await revokeEdge(database, 'edge-1')
  const revokedAt = performance.now()
  const ends = await inParallel(PROCESSES, PROCESSES, async (n) => {
    while (await isAccepted(n)) if (performance.now() - revokedAt > PATIENCE_MS) break
    return performance.now() - revokedAt
  })
  return Math.round(Math.max(...ends))
}
