// Every operation of both APIs is open to exactly those whom the contract names: each is called by ten kinds of callers.
// A call carries a parameter that does not exist, so a caller who is let in changes nothing and gets 400.

import { Agent } from 'node:http'
import type { OperationShape } from '@petstore-platform/contract/operation'
import { operations, type Operation } from '@petstore-platform/contract/operations'
import { roles, tokenScopeOf, type PlatformOperation } from '@petstore-platform/contract/platform/operation'
import { platformOperations } from '@petstore-platform/contract/platform/operations'
import { parseConfig } from '../../../server/src/program/config.ts'
import type { Database } from '../../../server/src/foundation/postgres/postgres.io.ts'
import { contextOf } from '../../../server/src/program/context.ts'
import { createKey } from '../../../server/src/projects/api-keys.io.ts'
import { createProject } from '../../../server/src/projects/projects.io.ts'
import { startService } from '../../../server/src/program/serve.ts'
import { exchange } from '../../harness/http.ts'
import { requestOf } from '../../harness/operation-request.ts'
import { joinProject, newPerson } from '../../harness/people.ts'
import { inParallel } from '../clients.ts'
import { must, type SafetyLine, type SafetyRun } from '../line.ts'
import { DASHBOARD_ORIGIN } from '../processes.ts'

export const safetyLine: SafetyLine = {
  title: 'Every operation is open to exactly those whom the contract names',
  sizes: { small: 'every operation, ten kinds of callers', large: 'the same' },
  guards: [{ name: 'access', instead: 'one operation of owners that viewers may call', isQuick: true }],
  run,
}

const SLUG = 'roles'
const AT_ONCE = 8

const actors = [
  'anonymous',
  'stranger',
  'removed member',
  'viewer',
  'admin',
  'owner',
  "owner's token",
  "owner's read-only token",
  'API key',
  'read-only API key',
] as const
type Actor = (typeof actors)[number]
type Headers = Readonly<Record<string, string>>

/** `let in`: past every check of rights. */
type Outcome = 'let in' | 401 | 403 | 404

async function run({ without, createDatabase, report }: SafetyRun): Promise<void> {
  const { appUrl } = await createDatabase()
  const config = parseConfig({
    DATABASE_URL: appUrl,
    PORT: '0',
    DASHBOARD_ORIGIN,
    DNS_RESOLVERS: 'none=127.0.0.1:1',
    ...Object.fromEntries(
      ['PER_KEY', 'PER_PROJECT', 'PER_ACCOUNT', 'PER_VISITOR', 'FAILED_AUTHENTICATIONS'].map((name) => [
        `RATE_LIMIT_${name}`,
        '1000000',
      ]),
    ),
  })
  // The control needs only the operations of owners, one of which it opens to others.
  const cells = cellsOf().filter(({ operation }) => without === undefined || isOfOwners(operation))
  const restore = without === 'access' ? lowered() : () => {}
  const service = await startService(config, { logger: { level: 'silent' } })
  try {
    const origin = `http://127.0.0.1:${service.port}`
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const credentials = await createActors(config, service.database, origin)
    const wrong: string[] = []
    await inParallel(AT_ONCE, cells.length, async (n) => {
      const cell = cells[n]
      if (!cell) return
      const found = await outcomeOf(origin, cell, { credentials: credentials[cell.actor], agent })
      if (found !== cell.expected)
        wrong.push(`${cell.actor} calls ${cell.operation.operationId}: ${found} instead of ${cell.expected}`)
    })
    agent.destroy()
    report({
      operations: cells.length / actors.length,
      actors: actors.length,
      cells: cells.length,
      wrong: wrong.length,
    })
    must(wrong.length === 0, `${wrong.length} cells are wrong: ${wrong.slice(0, 5).join('; ')}`)
  } finally {
    restore()
    await service.stop()
  }
}

type Cell = { actor: Actor; operation: OperationShape; prefix: string; expected: Outcome }

const cellsOf = (): Cell[] =>
  actors.flatMap((actor) => [
    ...platformOperations.map((operation) => ({
      actor,
      operation,
      prefix: '/platform/v1',
      expected: onPlatform(actor, operation),
    })),
    ...operations.map((operation) => ({ actor, operation, prefix: '/v1', expected: onApi(actor, operation) })),
  ])

function onPlatform(actor: Actor, operation: PlatformOperation): Outcome {
  const { access, recent } = operation
  if (access === 'anyone') return 'let in'
  if (actor === 'anonymous' || actor === 'API key' || actor === 'read-only API key') return 401
  const isToken = actor === "owner's token" || actor === "owner's read-only token"
  const isNarrow = actor === "owner's read-only token" && tokenScopeOf(operation) === 'write'
  const refused = (isToken && recent) || isNarrow ? 403 : 'let in'
  if (access === 'account') return refused
  if (actor === 'stranger' || actor === 'removed member') return 404
  const role = isToken ? 'owner' : actor
  return roles.indexOf(role) < roles.indexOf(access) ? 403 : refused
}

function onApi(actor: Actor, { scope }: Operation): Outcome {
  if (actor === 'API key') return 'let in'
  if (actor !== 'read-only API key') return 401
  return scope.endsWith(':read') ? 'let in' : 403
}

const isOfOwners = (operation: OperationShape): boolean => 'access' in operation && operation.access === 'owner'

/** An operation of owners becomes one of viewers. */
function lowered(): () => void {
  const operation = platformOperations.find(({ access }) => access === 'owner') as { access: string } | undefined
  if (!operation) throw new Error('No operation is for owners only.')
  operation.access = 'viewer'
  return () => void (operation.access = 'owner')
}

async function outcomeOf(
  origin: string,
  { operation, prefix }: Cell,
  { credentials, agent }: { credentials: Headers; agent: Agent },
): Promise<string | number> {
  const values = Object.fromEntries(
    Object.entries(operation.parameters).map(([name, { example }]) => [name, String(example ?? 1)]),
  )
  const { path, body, headers } = requestOf(operation, { ...values, project: SLUG })
  const isJson = typeof body === 'object'
  const request = {
    method: operation.method,
    path: `${prefix}${path}?never_a_parameter=1`,
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    headers: { ...(isJson && { 'Content-Type': 'application/json' }), ...headers, ...credentials },
  }
  const { status, text } = await exchange(origin, request, agent)
  if (status === 400 && text.includes('"unknown_parameter"')) return 'let in'
  return status === 401 || status === 403 || status === 404 ? status : `${status} ${text.slice(0, 200)}`
}

async function createActors(
  config: ReturnType<typeof parseConfig>,
  database: Database,
  origin: string,
): Promise<Record<Actor, Headers>> {
  const project = await createProject(database, { slug: SLUG, name: 'Roles' })
  const person = async (role?: (typeof roles)[number]) => {
    const { account, cookie } = await newPerson(database)
    if (role) await joinProject(database, project, account, role)
    return { id: account, headers: { Cookie: cookie, Origin: DASHBOARD_ORIGIN } }
  }
  const owner = await person('owner')
  const removed = await person('admin')
  const send = async (method: string, path: string, body?: object) => {
    const answer = await exchange(origin, {
      method,
      path: `/platform/v1${path}`,
      ...(body && { body: JSON.stringify(body) }),
      headers: { ...owner.headers, ...(body && { 'Content-Type': 'application/json' }) },
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const tokenWith = async (scopes: readonly string[]) => {
    const { json } = await send('POST', '/account/tokens', { label: 'Script', expiresInDays: 1, scopes })
    return bearer((json as { token: string }).token)
  }
  await send('DELETE', `/projects/${SLUG}/members/${removed.id}`)
  const key = (scopes?: readonly ('pets:read' | 'orders:read')[]) =>
    createKey(contextOf(config, database), project, { label: 'key', scopes })
  return {
    anonymous: {},
    stranger: (await person()).headers,
    'removed member': removed.headers,
    viewer: (await person('viewer')).headers,
    admin: (await person('admin')).headers,
    owner: owner.headers,
    "owner's token": await tokenWith(['read', 'write']),
    "owner's read-only token": await tokenWith(['read']),
    'API key': bearer((await key()).key),
    'read-only API key': bearer((await key(['pets:read', 'orders:read'])).key),
  }
}

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
