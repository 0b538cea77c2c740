// Two accounts on the plan free at one service: an attacker with as many projects as an account may have, and a neighbour
// with one published store. Each comes from an address of its own. For the lines about what one account can stop.

import { Agent } from 'node:http'
import { createPasswords } from '../../server/src/accounts/sign-in/password.io.ts'
import { parseConfig } from '../../server/src/program/config.ts'
import { openDatabase, type Database } from '../../server/src/foundation/postgres/postgres.io.ts'
import { defaultLimits } from '../../server/src/plans/limits.ts'
import { createProject } from '../../server/src/projects/projects.io.ts'
import { inProjectOf } from '../../server/src/projects/scope.io.ts'
import { contentWith } from '../samples/sites.ts'
import { exchange, type Received } from '../harness/http.ts'
import { newPerson } from '../harness/people.ts'
import { publishAtOnce } from '../harness/publish.ts'
import { PASSWORD } from './clients.ts'
import { DASHBOARD_ORIGIN } from './processes.ts'

export type Tenant = {
  email: string
  /** Of its projects; that of the neighbour has one. */
  slugs: readonly string[]
  /** The address that it sends from. */
  address: string
  cookie: string
  /** On `/platform/v1`; a failure is a response too. */
  send: (method: string, path: string, body?: object | Buffer | string, type?: string) => Promise<Received>
  /** As `send`; throws unless it succeeds. */
  must: Tenant['send']
  close: () => void
}

export type Tenants = { attacker: Tenant; neighbour: Tenant; database: Database; close: () => Promise<void> }

const ATTACKER_ADDRESS = '127.0.9.1'
const NEIGHBOUR_ADDRESS = '127.0.8.1'

export async function openTenants(env: Record<string, string>, port: number): Promise<Tenants> {
  const config = parseConfig(env)
  const database = openDatabase({ url: config.databaseUrl.reveal(), poolMax: 2, onError: () => {} })
  const hash = await createPasswords().hash(PASSWORD, { isKnown: true, group: '' })
  const open = (name: string, address: string, projects: number) =>
    openTenant(database, { name, address, projects, hash, origin: `http://127.0.0.1:${port}` })
  const attacker = await open('attacker', ATTACKER_ADDRESS, defaultLimits.other.unpaidProjects)
  const neighbour = await open('neighbour', NEIGHBOUR_ADDRESS, 1)
  return {
    attacker,
    neighbour,
    database,
    async close() {
      attacker.close()
      neighbour.close()
      await database.close()
    },
  }
}

type Wanted = { name: string; address: string; projects: number; hash: string; origin: string }

async function openTenant(database: Database, { name, address, projects, hash, origin }: Wanted): Promise<Tenant> {
  const email = `${name}@${name}.example`
  const { account, cookie } = await newPerson(database, { email, password: hash, isVerified: true })
  const slugs = Array.from({ length: projects }, (_, n) => `${name}-${n}`)
  for (const slug of slugs) {
    const project = await createProject(database, { slug, name: slug, owner: account })
    await publishAtOnce(inProjectOf(database), project, contentWith())
  }
  const agent = new Agent({ keepAlive: true, localAddress: address })
  const send: Tenant['send'] = (method, path, body, type = 'application/json') => {
    const bytes = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
    const headers = {
      Cookie: cookie,
      Origin: DASHBOARD_ORIGIN,
      ...(bytes !== undefined && { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(bytes)) }),
    }
    return exchange(
      origin,
      { method, path: `/platform/v1${path}`, headers, ...(bytes !== undefined && { body: bytes }) },
      agent,
    )
  }
  const must: Tenant['send'] = async (method, path, ...rest) => {
    const received = await send(method, path, ...rest)
    if (received.status < 300) return received
    throw new Error(`${name}: ${method} ${path}: ${received.status} ${received.text.slice(0, 300)}`)
  }
  return { email, slugs, address, cookie, send, must, close: () => agent.destroy() }
}
