// An installation for experiments with photos: the program as operators run it, `serve`, `work` and `edge` in processes
// of their own which can be killed, and owners who upload over HTTP.

import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Photo } from '@petstore-platform/contract/platform/photos'
import sharp from 'sharp'
import { addEdge } from '../../server/src/fleet/edge-tokens.io.ts'
import { newId } from '../../server/src/foundation/ids.io.ts'
import { openDatabase, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { setPlan } from '../../server/src/plans/plans.io.ts'
import * as directory from '../../server/src/projects/directory.io.ts'
import { inProjectOf, type ProjectId } from '../../server/src/projects/scope.io.ts'
import { childEnv } from '../harness/child-env.ts'
import { inviteTo } from '../harness/session.ts'

const DASHBOARD = 'https://dashboard.petstore.example'
const PLATFORM_HOST = 'petstore.test'
const main = join(import.meta.dirname, '../../server/src/main.ts')

type ProgramRole = 'serve' | 'work' | 'edge'
export type PhotoOwner = {
  project: ProjectId
  /** Of these each gives undefined if there was no response, or one that asks to retry. */
  addAnimal(): Promise<string | undefined>
  upload(animal: string, bytes: Buffer, key: string): Promise<Photo | undefined>
  photosOf(animal: string): Promise<Photo[] | undefined>
  remove(animal: string, photo: string): Promise<true | undefined>
}

export type Installation = {
  database: Database
  /** Under a name of its own where a role runs in several processes. */
  start(role: ProgramRole, name?: string): Promise<void>
  /** SIGKILL to the program, or to a process in which it decodes; false if there is none. */
  kill(victim: ProgramRole | 'child'): Promise<boolean>
  /** The most memory that the worker has occupied since it was started, without the processes in which it decodes. */
  workerPeakBytes(): number
  /** A response of the edge, which has to be started, for a site under its default address. */
  visit(slug: string, path: string): Promise<{ status: number; text: string }>
  owner(slug: string): Promise<PhotoOwner>
  stop(): Promise<void>
}

/** With further settings of the program. */
export function openInstallation(appUrl: string, port: number, more: Record<string, string> = {}): Installation {
  const database = openDatabase({ url: appUrl, poolMax: 4, onError: () => {} })
  const running = new Map<string, ChildProcess>()
  const env = {
    ...childEnv,
    DATABASE_URL: appUrl,
    PORT: String(port),
    CONTROL_PORT: String(port + 1),
    PLATFORM_HOST,
    LOG_LEVEL: 'error',
    DASHBOARD_ORIGIN: DASHBOARD,
    RATE_LIMIT_PER_ACCOUNT: '1000000000',
    RATE_LIMIT_PER_VISITOR: '1000000000',
    RATE_LIMIT_SIGN_INS_PER_ADDRESS: '1000000000',
    ...more,
  }
  const origin = `http://127.0.0.1:${port}/platform/v1`
  const edgeDirectory = mkdtempSync(join(tmpdir(), 'petstore-edge-'))
  const edgePort = port + 2

  return {
    database,
    async start(role, name = role) {
      const more = role === 'edge' ? await edgeEnv() : {}
      const child = spawn(process.execPath, [main, role], {
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...env, ...more },
      })
      running.set(name, child)
      if (!(await isReady(child))) throw new Error(`'${role}' ended before it was ready`)
    },
    async kill(victim) {
      const worker = running.get('work')
      if (victim === 'child') {
        const [child] = childrenOf(worker?.pid ?? 0)
        if (child === undefined) return false
        process.kill(child, 'SIGKILL')
        return true
      }
      const child = running.get(victim)
      if (!child) return false
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      running.delete(victim)
      return true
    },
    workerPeakBytes: () => peakBytesOf(running.get('work')?.pid ?? 0),
    visit: (slug, path) => visit(edgePort, `${slug}.${PLATFORM_HOST}`, path),
    owner: (slug) => ownerOf(database, origin, slug),
    async stop() {
      for (const child of running.values()) {
        child.kill('SIGTERM')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      await database.close()
      rmSync(edgeDirectory, { recursive: true, force: true })
    },
  }

  async function edgeEnv(): Promise<Record<string, string>> {
    const { token } = await addEdge({ run: database.run, newId, randomBytes }, 'edge-1')
    return {
      EDGE_CONTROL_URL: `http://127.0.0.1:${port + 1}`,
      EDGE_TOKEN: token,
      EDGE_KEY: randomBytes(32).toString('base64'),
      EDGE_DIRECTORY: edgeDirectory,
      EDGE_PORT: String(edgePort),
      EDGE_CERTIFICATE_PORT: String(port + 3),
    }
  }
}

/** As Caddy passes it on. */
function visit(port: number, hostname: string, path: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const pending = get({ host: '127.0.0.1', port, path, headers: { Host: hostname } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('latin1') }),
      )
      response.on('error', reject)
    })
    pending.on('error', reject)
  })
}

const READY = new Set(['serving', 'working', 'serving sites'])

async function isReady({ stdout }: ChildProcess): Promise<boolean> {
  if (!stdout) throw new Error('a program has no output')
  const lines = createInterface(stdout)
  for await (const line of lines) {
    const { msg } = JSON.parse(line) as { msg?: string }
    if (msg === undefined || !READY.has(msg)) continue
    lines.close()
    stdout.resume()
    return true
  }
  return false
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function peakBytesOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

async function ownerOf(database: Database, origin: string, slug: string): Promise<PhotoOwner> {
  const email = `${slug}@shop.example`
  const secret = await inviteTo(database, email)
  const account = await fetch(`${origin}/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret, password: 'seven otters juggle lanterns', name: slug }),
  })
  const cookie = account.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const headers = { Cookie: cookie, Origin: DASHBOARD }
  const json = { ...headers, 'Content-Type': 'application/json' }
  await fetch(`${origin}/projects`, { method: 'POST', headers: json, body: JSON.stringify({ slug, name: slug }) })
  const project = await directory.findSlug(database.run, slug)
  if (project === undefined) throw new Error(`no project ${slug}`)
  await setPlan({ inProject: inProjectOf(database) }, project, 'enterprise', 'operator')
  const animals = `${origin}/projects/${slug}/animals`
  return {
    project,
    async addAnimal() {
      const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
      const answer = await fetch(animals, { method: 'POST', headers: json, body }).catch(() => undefined)
      return answer?.ok ? String(((await answer.json()) as { id: number }).id) : undefined
    },
    async upload(animal, bytes, key) {
      const answer = await fetch(`${animals}/${animal}/photos`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'image/jpeg', 'Idempotency-Key': key },
        body: new Uint8Array(bytes),
      }).catch(() => undefined)
      if (answer?.status === 201) return (await answer.json().catch(() => undefined)) as Photo | undefined
      if (!answer || answer.status === 429 || answer.status >= 500) return undefined
      throw new Error(`an upload got ${answer.status}: ${await answer.text()}`)
    },
    async photosOf(animal) {
      const answer = await fetch(`${animals}/${animal}`, { headers }).catch(() => undefined)
      return answer?.ok ? ((await answer.json()) as { photos: Photo[] }).photos : undefined
    },
    async remove(animal, photo) {
      const url = `${animals}/${animal}/photos/${photo}`
      const answer = await fetch(url, { method: 'DELETE', headers }).catch(() => undefined)
      return answer?.ok ? true : undefined
    },
  }
}

/** A JPEG with some detail. */
export const photograph = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
    .blur(2)
    .jpeg({ quality: 80 })
    .toBuffer()

/** The same picture in other bytes: a comment right behind the start of the file. */
export function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text)
  const head = Buffer.from([0xff, 0xfe, 0, 0])
  head.writeUInt16BE(comment.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)])
}
