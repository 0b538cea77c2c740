// The environment of the fuzzer: a service on a throw-away PostgreSQL, in another process, and a
// store seeded with a few animals, so that there are identifiers to fetch and pages to follow.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { childEnv } from '../../harness/child-env.ts'
import { readDocument, type OpenApi } from '../../harness/openapi.ts'
import type { RequestDraft } from './draft.ts'
import type { SeededData } from './valid.ts'
import { freePort } from '../../../devserver/free-port.ts'

export type FuzzEnvironment = {
  origin: string
  key: string
  /** The URL of the inbox, in which people find their links; empty if there is none. */
  inbox: string
  stop: () => Promise<void>
}

const UNLIMITED = '1000000000'
const quotas = [
  'PER_KEY',
  'PER_PROJECT',
  'FAILED_AUTHENTICATIONS',
  'PER_ACCOUNT',
  'PER_VISITOR',
  'SIGN_INS_PER_ADDRESS',
  'SIGN_INS_PER_ACCOUNT',
]

/** Quotas are out of reach: otherwise they would hide the responses under test. */
export async function startEnvironment(): Promise<FuzzEnvironment> {
  const port = await freePort()
  const dev = join(import.meta.dirname, '../../../devserver/main.ts')
  const child = spawn(process.execPath, [dev, '--json', '--ephemeral', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...childEnv,
      LOG_LEVEL: 'error',
      // No resolver outside is queried for generated names.
      DNS_RESOLVERS: '127.0.0.1:9',
      SMTP_PER_SECOND: '100000',
      // Actors come from addresses of their own: one address may not have many passwords compared at once.
      TRUSTED_PROXIES: '127.0.0.1',
      ...Object.fromEntries(quotas.map((name) => [`RATE_LIMIT_${name}`, UNLIMITED])),
    },
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  const firstLine = once(createInterface(child.stdout), 'line') as Promise<[string]>
  const failed = ended.then(([code]) => {
    throw new Error(`The service ended with ${String(code)} before it was ready.`)
  })
  failed.catch(() => {})
  const [line] = await Promise.race([firstLine, failed])
  const { apiKey, inbox } = JSON.parse(line) as { apiKey: string; inbox: string }
  return { origin: `http://127.0.0.1:${port}`, key: apiKey, inbox, stop }
}

/** The OpenAPI document of the service under test, as it serves it. */
export async function servedDocument(origin: string, prefix = '/v1'): Promise<OpenApi> {
  const response = await fetch(`${origin}${prefix}/openapi.json`)
  if (!response.ok) throw new Error(`No document at ${origin}: ${response.status}`)
  return readDocument((await response.json()) as object)
}

export async function prepare(origin: string, key: string): Promise<SeededData> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ids: string[] = []
  for (let count = 0; count < 30; count++) {
    const status = ['available', 'pending', 'sold'][count % 3]
    const body = `{"name":"Rex ${count}","categoryId":${2n ** 63n - 1n - BigInt(count)},"status":"${status}"}`
    const created = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
    if (created.status !== 201) throw new Error(`The store cannot be filled: ${created.status} ${await created.text()}`)
    ids.push(/"id":(\d+)/.exec(await created.text())?.[1] ?? '')
  }
  const used = { key: 'used-by-the-fuzz', body: '{"name":"Used","categoryId":7}' }
  await fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: { ...headers, 'Idempotency-Key': used.key },
    body: used.body,
  })
  const starts = ['limit=1', 'limit=4&status=sold', 'limit=2&status=pending', 'limit=3&status=available']
  const pages = await Promise.all(starts.map((query) => nextQuery(`${origin}/v1/pets?${query}`, headers)))
  return { key, known: { petId: ids }, continuations: { listPets: pages }, used }
}

async function nextQuery(url: string, headers: Record<string, string>): Promise<RequestDraft['query']> {
  const link = (await fetch(url, { headers })).headers.get('link') ?? ''
  const next = /<([^>]+)>; rel="next"/.exec(link)?.[1]
  if (next === undefined) throw new Error(`${url} has no next page.`)
  return [...new URL(next).searchParams]
}
