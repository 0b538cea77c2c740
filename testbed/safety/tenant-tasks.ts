// What a person does with a store and waits for, from the first request until its result is there: publish, import, upload,
// a mail, a sign-in, an event stream, an edge that polls. Each throws if it is refused.

import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { openEvents } from '../harness/event-stream.ts'
import { exchange, type Received } from '../harness/http.ts'
import type { TestRelay } from '../harness/mail-relay.ts'
import { enrolledEdge } from '../harness/test-edges.ts'
import { PASSWORD } from './clients.ts'
import { DASHBOARD_ORIGIN, type ForkedService } from './processes.ts'
import type { Tenant, Tenants } from './tenants.ts'

const POLL_MS = 20
const going = ['reading', 'judging', 'running', 'queued', 'building']

/** Until what a worker does is done. */
export async function settled(tenant: Tenant, path: string): Promise<string> {
  for (;;) {
    const { json } = await tenant.must('GET', path)
    const { state } = json as { state: string }
    if (!going.includes(state)) return state
    await pause(POLL_MS)
  }
}

type Details = {
  id: string
  table: { columns: { index: number; title: string }[] }
  reading: { matchBy: string; dateOrder: string; currency: string }
}

const DOGS = 'Dogs'

/** Uploads and maps a spreadsheet whose titles are names of fields; returns the state of the import once it is judged. */
export async function reviewImport(tenant: Tenant, slug: string, csv: string): Promise<{ id: string; state: string }> {
  const imports = `/projects/${slug}/imports`
  const begun = await tenant.must('POST', imports, { onBadLine: 'skip', isReviewed: true, fileName: 'animals.csv' })
  const { id } = begun.json as Details
  await tenant.must('PUT', `${imports}/${id}/parts/1`, csv, 'text/csv')
  await tenant.must('POST', `${imports}/${id}/read`, { parts: 1 })
  if ((await settled(tenant, `${imports}/${id}`)) !== 'mapping') return { id, state: 'failed' }
  const { table } = (await tenant.must('GET', `${imports}/${id}`)).json as Details
  await tenant.must('PUT', `${imports}/${id}/mapping`, {
    columns: table.columns.map(({ index, title }) => ({ index, field: title })),
    matchBy: 'none',
    dateOrder: 'dmy',
    currency: 'EUR',
    defaultCategory: DOGS,
  })
  return { id, state: await settled(tenant, `${imports}/${id}`) }
}

/** Imports a spreadsheet to its end; its photos may follow. */
export async function importAnimals(tenant: Tenant, slug: string, csv: string): Promise<void> {
  const { id, state } = await reviewImport(tenant, slug, csv)
  if (state !== 'reviewing') throw new Error(`an import is ${state}`)
  const path = `/projects/${slug}/imports/${id}`
  await tenant.must('POST', `${path}/apply`, { onBadLine: 'skip' })
  const end = await settled(tenant, path)
  if (end !== 'succeeded') throw new Error(`an import is ${end}`)
}

/** The address of the photos of a new animal. */
export async function newAnimal(tenant: Tenant, slug: string, more: object = {}): Promise<string> {
  const animal = { name: 'Rex', categoryId: 1, status: 'available', ...more }
  const { id } = (await tenant.must('POST', `/projects/${slug}/animals`, animal)).json as { id: number }
  return `/projects/${slug}/animals/${id}`
}

export type TaskName = 'publish' | 'import' | 'photo' | 'mail' | 'sign-in' | 'stream' | 'edge'
export type Tasks = Readonly<Record<TaskName, () => Promise<void>>>

/** Those of the neighbour. */
export async function tasksOf(
  { neighbour, database }: Tenants,
  service: ForkedService,
  relay: TestRelay,
): Promise<Tasks> {
  const [slug = ''] = neighbour.slugs
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#356' } })
    .jpeg()
    .toBuffer()
  const animal = await newAnimal(neighbour, slug)
  const edge = await enrolledEdge(database.run, 'edge')
  let mails = 0
  return {
    async publish() {
      const { id } = (await neighbour.must('POST', `/projects/${slug}/deployments`)).json as { id: string }
      const state = await settled(neighbour, `/projects/${slug}/deployments/${id}`)
      if (state !== 'succeeded') throw new Error(`a deployment is ${state}`)
    },
    import: () => importAnimals(neighbour, slug, 'name,category\nMia,Dogs\nTom,Dogs\n'),
    photo: async () => void (await neighbour.must('POST', `${animal}/photos`, picture, 'image/jpeg')),
    async mail() {
      const to = `new-${(mails += 1)}@neighbour.example`
      await neighbour.must('POST', '/sign-up', { email: to })
      while (!relay.received.some((one) => one.to === to)) await relay.arrived(relay.received.length + 1)
    },
    // From another browser: a sign-in ends the session whose cookie is sent.
    'sign-in': async () => {
      const body = JSON.stringify({ email: neighbour.email, password: PASSWORD })
      const headers = { Origin: DASHBOARD_ORIGIN, 'Content-Type': 'application/json' }
      const request = { method: 'POST', path: '/platform/v1/session', headers, body }
      const { status, text } = await exchange(`http://127.0.0.1:${service.port}`, request)
      if (status !== 200) throw new Error(`a sign-in: ${status} ${text}`)
    },
    async stream() {
      const path = `/platform/v1/watch?topics=project:${slug}`
      const stream = await openEvents(`http://127.0.0.1:${service.port}`, path, { Cookie: neighbour.cookie })
      stream.close()
      if (stream.status !== 200) throw new Error(`an event stream: ${stream.status}`)
    },
    async edge() {
      const url = '/edge/v1/changes?after=0&wait=0'
      const Authorization = await edge.authorize({ method: 'GET', url, headers: {} }, undefined)
      const request = { path: url, headers: { Authorization } }
      const { status }: Received = await exchange(`http://127.0.0.1:${service.controlPort}`, request)
      if (status !== 200) throw new Error(`an edge: ${status}`)
    },
  }
}
