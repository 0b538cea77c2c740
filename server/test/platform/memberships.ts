// Shared set-up of tests of members and invitations: people, their invitations, and how they join a project.

import { beforeAll, expect } from 'vitest'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { asProject } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  startTestPlatform,
  type PlatformJson,
  type PlatformOwner,
  type PersonClient,
  type TestPlatform,
} from '../../../testbed/harness/platform.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'

let platform: TestPlatform
export let service: TestPlatform['test']
export let anyone: TestPlatform['anyone']

/** To be called by each file: a module may serve several. */
export function setUpMemberships(): void {
  beforeAll(async () => {
    platform = await startTestPlatform()
    service = platform.test
    anyone = platform.anyone
  })
}

export const signUp = (name?: string) => platform.signUp(name)
export const newOwner = () => platform.owner()

export type Fresh = { id: string; secret: string; role: Role }
export const bodyOf = (answer: Received) => answer.json as PlatformJson
export const rowsOf = (answer: Received) => answer.json as PlatformJson[]
/** In ascending order, since any of several concurrent requests may win. */
export const statusesOf = (answers: readonly Received[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

export const EMAIL = 'tom@petstore.example'
/** This installation has no mail: an invitation is a link, which the person who gets it accepts. */
export async function invited(by: PersonClient, slug: string, role: Role, note = ''): Promise<Fresh> {
  const answer = await by.send('POST', `/projects/${slug}/invitations`, { email: EMAIL, role, note })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return { ...(answer.json as Fresh), secret: invitationSecret(answer.json) }
}
export const show = (secret: string) => anyone.send('POST', '/invitations/show', { secret })
export const accept = (person: PersonClient, secret: string) => person.send('POST', '/invitations/accept', { secret })

export async function join(
  person: PersonClient,
  { slug, ...by }: Pick<PlatformOwner, 'slug'> & PersonClient,
  role: Role,
) {
  // No link makes an owner: an admin becomes one.
  const { secret } = await invited(by, slug, role === 'owner' ? 'admin' : role)
  expect((await accept(person, secret)).status).toBe(200)
  if (role === 'owner')
    expect((await by.send('PATCH', `/projects/${slug}/members/${person.id}`, { role })).status).toBe(200)
  return person
}
export const joined = async (owner: PlatformOwner, role: Role, name = role as string) =>
  join(await signUp(name), owner, role)

export const rolesIn = async (owner: PlatformOwner) => {
  const members = rowsOf(await owner.send('GET', `/projects/${owner.slug}/members`))
  return Object.fromEntries(members.map(({ id, role }) => [id, role]))
}

/** The audit events of a project since its creation, oldest first. */
export const auditEventsOf = ({ project }: PlatformOwner) =>
  asProject(service.database, project, async (client) => {
    const { rows } = await client.query<{ actor: string; action: string; subject: string; detail: PlatformJson }>(
      `select actor, action, subject, detail from audit where project_id = $1 and action <> 'project_created' order by id`,
      [project],
    )
    return rows
  })
/** Runs statements in a project that the program itself has no right to. */
export const asOwnerIn = ({ project }: PlatformOwner, text: string, values: unknown[]) =>
  asOwner(service.database, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('petstore.projects', $1, true)`, [`{${project}}`])
    await client.query(text, [project, ...values])
    await client.query('commit')
  })
export const expire = (owner: PlatformOwner, { id }: Fresh) =>
  asOwnerIn(owner, 'update invitations set expires_at = now() where project_id = $1 and id = $2', [id])

/** The whole response without the parts that differ from request to request. */
export const bytesOf = ({ status, rawHeaders, text }: Received) => ({
  status,
  text,
  headers: rawHeaders.filter(
    (_, index) => !/^(request-id|date|ratelimit)$/i.test(rawHeaders[index - (index % 2)] ?? ''),
  ),
})

/** Rows of the directory of invitations that lead to a project. */
export const placesOf = async ({ project }: PlatformOwner) => {
  const text = 'select digest from invitation_directory where project_id = $1'
  return (await asOwner(service.database, (client) => client.query(text, [project]))).rows.length
}
