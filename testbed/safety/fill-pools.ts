// Fills every pool that projects share, as one account: each filling takes all it can and holds it until it is released.

import { once, setMaxListeners } from 'node:events'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { openEvents } from '../harness/event-stream.ts'
import { exchange } from '../harness/http.ts'
import { repeated, together, type Attack, type AttackScene } from './beside-attack.ts'
import { SILENT_HOSTS } from './silent-hosts.ts'
import { importAnimals, newAnimal, reviewImport } from './tenant-tasks.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'
import type { Tenant } from './tenants.ts'

export type Filling = (scene: AttackScene) => Promise<Attack>

const CONNECTIONS = 256
const RECONNECT_MS = 1000
const DRIP_MS = 200

type Held = { port: number; address: string; count: number; text: string; drip?: string; reads?: boolean }

/** Connections that send `text`, and `drip` from time to time. One that the server closes is opened again. */
async function held({ port, address, count, text, drip, reads = true }: Held): Promise<Attack> {
  const stopping = new AbortController()
  const open = async () => {
    while (!stopping.signal.aborted) {
      const socket = connect({ host: '127.0.0.1', port, localAddress: address })
      const timer = drip === undefined ? undefined : setInterval(() => socket.writable && socket.write(drip), DRIP_MS)
      const stop = () => socket.destroy()
      stopping.signal.addEventListener('abort', stop)
      socket.on('error', () => {})
      if (reads) socket.resume()
      socket.write(text)
      await once(socket, 'close').catch(() => {})
      clearInterval(timer)
      stopping.signal.removeEventListener('abort', stop)
      await pause(RECONNECT_MS, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  setMaxListeners(0, stopping.signal)
  const connections = Promise.all(Array.from({ length: count }, open))
  return {
    isActive: () => !stopping.signal.aborted,
    release: async () => {
      stopping.abort()
      await connections
    },
  }
}

/** A request whose body has begun. */
const begun = (method: string, path: string, headers: Record<string, string>): string =>
  [`${method} ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', 'x'].join(
    '\r\n',
  )

const PHOTOS_NAMED = 40
export const csvOf = (columns: readonly string[], rows: readonly string[][]) =>
  [columns, ...rows].map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n')

/** On a busy machine CI needs no more than that every pool is full. */
const sizes = {
  small: { visitorsEach: 1, reviewers: 2, rowsReviewed: 200, pictureWidth: 600, guesses: 12 },
  large: { visitorsEach: 4, reviewers: 5, rowsReviewed: 2000, pictureWidth: 3000, guesses: 32 },
}
const UPLOAD_BYTES = 5_000_000
const UPLOADS_EACH = 8

/** Photos whose bodies never end, in each project of the account. */
const fillUploads: Filling = async ({ attacker, service }) => {
  const attacks: Attack[] = []
  for (const slug of attacker.slugs) {
    const path = `/platform/v1${await newAnimal(attacker, slug)}/photos`
    const headers = {
      Host: 'petstore',
      Cookie: attacker.cookie,
      Origin: DASHBOARD_ORIGIN,
      'Content-Type': 'image/jpeg',
      'Content-Length': String(UPLOAD_BYTES),
    }
    const text = begun('POST', path, headers)
    const drip = 'x'.repeat(2000)
    attacks.push(await held({ port: service.port, address: attacker.address, count: UPLOADS_EACH, text, drip }))
  }
  return together(attacks)
}

/** In each project one import after another, whose photos are at hosts that never answer. */
export const fillImports: Filling = async ({ attacker }) => {
  const rows = Array.from({ length: PHOTOS_NAMED }, (_, n) => [
    `Rex ${n}`,
    'Dogs',
    `https://${SILENT_HOSTS[n % SILENT_HOSTS.length]}/${n}.jpg`,
  ])
  const csv = csvOf(['name', 'category', 'photos'], rows)
  const importNext = async (slug: string) => {
    if ((await pendingPhotos(attacker, slug)) === 0) await importAnimals(attacker, slug, csv)
  }
  // What is rejected is sent again below.
  await Promise.all(attacker.slugs.map((slug) => importNext(slug).catch(() => {})))
  return together(attacker.slugs.map((slug) => repeated(() => importNext(slug))))
}

async function pendingPhotos(tenant: Tenant, slug: string): Promise<number> {
  const [newest] = (await tenant.must('GET', `/projects/${slug}/imports`)).json as { id: string }[]
  if (!newest) return 0
  const { json } = await tenant.must('GET', `/projects/${slug}/imports/${newest.id}`)
  return (json as { photos: { pending: number } | null }).photos?.pending ?? 0
}

/** Reviews of spreadsheets, one after another in each project. */
const fillSpreadsheets: Filling = async ({ attacker, tier }) => {
  const csv = csvOf(
    ['name', 'category'],
    Array.from({ length: sizes[tier].rowsReviewed }, (_, n) => [`Rex ${n}`, 'Dogs']),
  )
  return together(
    attacker.slugs.slice(0, sizes[tier].reviewers).map((slug) =>
      repeated(async () => {
        const { id } = await reviewImport(attacker, slug, csv)
        await attacker.must('DELETE', `/projects/${slug}/imports/${id}`)
      }),
    ),
  )
}

/** Photos that take long to process, one after another in each project. */
const fillPhotos: Filling = async ({ attacker, tier }) => {
  const width = sizes[tier].pictureWidth
  const picture = await sharp({ create: { width, height: width, channels: 3, background: '#653' } })
    .jpeg()
    .toBuffer()
  return together(
    attacker.slugs.map((slug) =>
      repeated(async () => {
        const animal = await newAnimal(attacker, slug)
        for (let n = 0; n < UPLOADS_EACH; n += 1) {
          await attacker.must('POST', `${animal}/photos`, picture, 'image/jpeg')
        }
      }),
    ),
  )
}

/** Pages of the account's sites, as many at a time as visitors of one address request. */
const fillPages: Filling = async ({ attacker, tier, service }) => {
  const origin = `http://127.0.0.1:${service.sitePort}`
  const agent = new Agent({ keepAlive: true, localAddress: SECOND_ADDRESS })
  let visits = 0
  const visit = (slug: string) => async () => {
    const request = { path: `/?visit=${(visits += 1)}`, headers: { Host: `${slug}.petstore.test:3080` } }
    await exchange(origin, request, agent)
  }
  const visitors = attacker.slugs.flatMap((slug) =>
    Array.from({ length: sizes[tier].visitorsEach }, () => repeated(visit(slug))),
  )
  const { release, isActive } = together(visitors)
  return { isActive, release: () => Promise.resolve(release()).then(() => agent.destroy()) }
}

/** As many invitations as the account may send. */
const fillMail: Filling = async ({ attacker }) => {
  let [sent, round] = [0, 0]
  const [slug = ''] = attacker.slugs
  for (; round < 200; round += 1) {
    const body = { email: `friend-${round}@attacker.example`, role: 'viewer' }
    if ((await attacker.send('POST', `/projects/${slug}/invitations`, body)).status >= 300) break
    sent += 1
  }
  return { release: () => {}, isActive: () => sent > 0 }
}

/** As many wrong passwords at once as are accepted. */
const fillPasswords: Filling = async ({ attacker, tier }) => {
  const state = { isOver: false }
  const guess = async (lane: number) => {
    for (let n = 0; !state.isOver; n += 1)
      await attacker
        .send('POST', '/session', { email: `person-${lane}-${n}@m.example`, password: 'twelve wrong words here' })
        .catch(() => {})
  }
  const lanes = Promise.all(Array.from({ length: sizes[tier].guesses }, (_, lane) => guess(lane)))
  return {
    isActive: () => !state.isOver,
    release: async () => {
      state.isOver = true
      await lanes
    },
  }
}

const fillStreams: Filling = async ({ attacker, service }) => {
  const path = `/platform/v1/watch?topics=project:${attacker.slugs[0]}`
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => openEvents(`http://127.0.0.1:${service.port}`, path, { Cookie: attacker.cookie })),
  )
  return {
    isActive: () => streams.some(({ status }) => status === 200),
    release: () => streams.forEach((stream) => stream.close()),
  }
}

const HALF = 'GET / HTTP/1.1\r\nHost: petstore\r\n'

/** Different from the address of all other requests of the attacker. */
const SECOND_ADDRESS = '127.0.9.2'

/** Connections whose request never ends, or is answered and followed by none. */
const fillConnections =
  (portOf: (service: AttackScene['service']) => number, text: string): Filling =>
  async ({ service }) =>
    held({ port: portOf(service), address: SECOND_ADDRESS, count: CONNECTIONS, text })

/** Pages of a site, many on each connection, that are never read. */
const fillResponses: Filling = async ({ attacker, service }) => {
  const text = `GET / HTTP/1.1\r\nHost: ${attacker.slugs[0]}.petstore.test:3080\r\n\r\n`.repeat(20)
  return held({ port: service.sitePort, address: '127.0.9.3', count: 200, text, reads: false })
}

/** In this order: those that end on their own begin last. */
export const fillings = {
  mail: fillMail,
  streams: fillStreams,
  uploads: fillUploads,
  jobs: fillImports,
  spreadsheets: fillSpreadsheets,
  photos: fillPhotos,
  pages: fillPages,
  responses: fillResponses,
  'connections to the API': fillConnections(({ port }) => port, HALF),
  'connections to sites': fillConnections(({ sitePort }) => sitePort, HALF),
  'connections of edges': fillConnections(
    ({ controlPort }) => controlPort,
    'GET /edge/v1/changes?after=0 HTTP/1.1\r\nHost: petstore\r\nAuthorization: Bearer edge_wrong\r\n\r\n',
  ),
  passwords: fillPasswords,
} as const satisfies Readonly<Record<string, Filling>>

export type FillingName = keyof typeof fillings
