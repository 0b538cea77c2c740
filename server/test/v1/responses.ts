// Shared helpers of the table-driven tests: how a response is parsed, and how a test gets a
// project, rows or bytes on a socket that no client library would give it.

import { connect } from 'node:net'
import type { RefusalCode } from '@petstore-platform/contract/errors'
import Link from 'http-link-header'
import pg from 'pg'
import { parseList } from 'structured-headers'
import { expect } from 'vitest'
import { createProject } from '../../src/projects/projects.io.ts'
import type { KeyWish } from '../../src/projects/api-keys.io.ts'
import type { ProjectId } from '../../src/projects/scope.io.ts'
import { asOwner, type TestDatabase } from '../../../testbed/harness/database.ts'
import { exchange, type Received, type RawRequest } from '../../../testbed/harness/http.ts'
import type { Tenant, TestService } from '../../../testbed/harness/service.ts'

export type ErrorBody = { code: string; message: string; status: number }
export type PetBody = { id: number; name: string; categoryId: number; status: string }

/** The one Error body, exactly; with the message where it is part of the promise. */
export function expectRefusal(
  answer: ParsedResponse,
  status: number,
  code: RefusalCode,
  message?: string | RegExp,
): void {
  expect({ status: answer.status, type: answer.headers['content-type'], body: JSON.parse(answer.text) }).toEqual({
    status,
    type: 'application/json',
    body: {
      code,
      message: message instanceof RegExp ? expect.stringMatching(message) : expectedMessage(message),
      status,
    },
  })
}

const expectedMessage = (message: string | undefined): unknown => message ?? expect.stringMatching(/^\S.*[.]$/s)

export type ParsedResponse = { status: number; headers: Received['headers']; text: string }

/** The links of a response: relation → address. */
export function linksOf({ headers }: ParsedResponse): Record<string, string> {
  const links = typeof headers.link === 'string' ? Link.parse(headers.link).refs : []
  return Object.fromEntries(links.map(({ rel, uri }) => [rel, uri]))
}

/** The address of the next page, as a path to request; undefined on the last page. */
export function nextOf(answer: ParsedResponse): string | undefined {
  const next = linksOf(answer)['next']
  if (next === undefined) return undefined
  const { pathname, search } = new URL(next)
  return `${pathname}${search}`
}

/** A list of structured fields with integer parameters: name → parameters. */
export function fieldsOf(header: string | string[] | undefined): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    parseList(String(header)).map(([name, parameters]) => [name as string, Object.fromEntries(parameters)]),
  )
}

export const petsOf = ({ json }: Received): PetBody[] => json as PetBody[]
export const petOf = ({ json }: Received): PetBody => json as PetBody
export const errorOf = ({ json }: Received): ErrorBody => json as ErrorBody
export const namesOf = (answer: Received): string[] => petsOf(answer).map(({ name }) => name)

/** A client of the project with a key of its own. */
export function clientOf({ origin }: TestService, project: ProjectId, key: string): Tenant {
  const authorized = (headers: RawRequest['headers'] = {}) => ({ Authorization: `Bearer ${key}`, ...headers })
  const json = { 'Content-Type': 'application/json' }
  return {
    project,
    key,
    get: (path, headers) => exchange(origin, { path, headers: authorized(headers) }),
    post: (path, body, headers) =>
      exchange(origin, { method: 'POST', path, body, headers: authorized({ ...json, ...headers }) }),
    send: (sent) => exchange(origin, { ...sent, headers: authorized(sent.headers) }),
  }
}

/** A client of the same project with another key. */
export async function withKey(of: TestService, tenant: Tenant, options: Partial<KeyWish>): Promise<Tenant> {
  const { key } = await of.keyFor(tenant, { label: 'test', ...options })
  return clientOf(of, tenant.project, key)
}

/** A project that nothing else of the test file touches. */
export async function newTenant(of: TestService): Promise<Tenant> {
  const slug = `tenant-${crypto.randomUUID().slice(0, 8)}`
  const project = await createProject(of.service.database, { slug, name: slug })
  return withKey(of, { ...of.north, project }, {})
}

/** Statements inside one project, as the program itself would run them. */
export async function asProject<T>(
  { appUrl }: TestDatabase,
  project: ProjectId,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: appUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(`select set_config('petstore.projects', $1, true)`, [`{${project}}`])
    const result = await work(client)
    await client.query('commit')
    return result
  } finally {
    await client.end()
  }
}

/** So many animals, oldest first; their names are their numbers, from 1. */
export function addPets(of: TestService, { project }: Tenant, count: number, status = 'available'): Promise<number[]> {
  return asProject(of.database, project, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into pets (project_id, name, category_id, status)
       select $1, n, 1, $3 from generate_series(1, $2::integer) as n
       returning id`,
      [project, count, status],
    )
    return rows.map(({ id }) => Number(id))
  })
}

/** Ends the connections of the service, after the owner has changed the database. */
export async function reconnect({ database }: TestService, change: string): Promise<void> {
  const witness = new pg.Client({ connectionString: database.appUrl })
  await witness.connect()
  await asOwner(database, (client) => client.query(`alter database ${database.name} ${change}`))
  await witness.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  )
  await witness.end()
}

/** PostgreSQL ends the connections of the service and accepts no new ones. */
export const cutOff = (of: TestService): Promise<void> => reconnect(of, 'connection limit 0')

/** Sends these exact bytes on a socket and returns what came back until the server closed it. */
export async function rawExchange(origin: string, sent: string | Uint8Array): Promise<ParsedResponse> {
  const { hostname, port } = new URL(origin)
  const received = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const done = () => resolve(Buffer.concat(chunks).toString())
    const socket = connect(Number(port), hostname, () => socket.write(sent))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', done)
    // A server that refuses early may reset what is still being sent; its response counts.
    socket.on('error', (error) => (chunks.length > 0 ? done() : reject(error)))
  })
  const [head = '', ...body] = received.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(
      fields.map((field) => [field.split(':', 1).join('').toLowerCase(), field.slice(field.indexOf(':') + 1).trim()]),
    ),
    text: body.join('\r\n\r\n'),
  }
}
