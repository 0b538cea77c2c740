// Members and invitations: the rights of each role, links that work once, a project that
// always keeps an owner, isolation of other projects, and an audit event for every change.

import { describe, expect, test } from 'vitest'
import { MEMBERS_MAX } from '@petstore-platform/contract/platform/members'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { plans } from '@petstore-platform/contract/platform/projects'
import { defaultRules } from '../../src/plans/limits.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import {
  DASHBOARD,
  startTestPlatform,
  type PlatformJson,
  type PlatformOwner,
  type PersonClient,
} from '../../../testbed/harness/platform.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'

const platform = await startTestPlatform()
const { test: service, anyone } = platform
const signUp = (name?: string) => platform.signUp(name)
const newOwner = () => platform.owner()

type Fresh = { id: string; secret: string; role: Role }
const bodyOf = (answer: Received) => answer.json as PlatformJson
const rowsOf = (answer: Received) => answer.json as PlatformJson[]
/** In ascending order, since any of several concurrent requests may win. */
const statusesOf = (answers: readonly Received[]) => answers.map(({ status }) => status).sort((a, b) => a - b)

const EMAIL = 'tom@petstore.example'
/** This installation has no mail: an invitation is a link, which the person who gets it accepts. */
async function invited(by: PersonClient, slug: string, role: Role, note = ''): Promise<Fresh> {
  const answer = await by.send('POST', `/projects/${slug}/invitations`, { email: EMAIL, role, note })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return { ...(answer.json as Fresh), secret: invitationSecret(answer.json) }
}
const show = (secret: string) => anyone.send('POST', '/invitations/show', { secret })
const accept = (person: PersonClient, secret: string) => person.send('POST', '/invitations/accept', { secret })

async function join(person: PersonClient, { slug, ...by }: Pick<PlatformOwner, 'slug'> & PersonClient, role: Role) {
  // No link makes an owner: an admin becomes one.
  const { secret } = await invited(by, slug, role === 'owner' ? 'admin' : role)
  expect((await accept(person, secret)).status).toBe(200)
  if (role === 'owner')
    expect((await by.send('PATCH', `/projects/${slug}/members/${person.id}`, { role })).status).toBe(200)
  return person
}
const joined = async (owner: PlatformOwner, role: Role, name = role as string) => join(await signUp(name), owner, role)

const rolesIn = async (owner: PlatformOwner) => {
  const members = rowsOf(await owner.send('GET', `/projects/${owner.slug}/members`))
  return Object.fromEntries(members.map(({ id, role }) => [id, role]))
}

/** The audit events of a project since its creation, oldest first. */
const auditEventsOf = ({ project }: PlatformOwner) =>
  asProject(service.database, project, async (client) => {
    const { rows } = await client.query<{ actor: string; action: string; subject: string; detail: PlatformJson }>(
      `select actor, action, subject, detail from audit where project_id = $1 and action <> 'project_created' order by id`,
      [project],
    )
    return rows
  })
/** Runs statements in a project that the program itself has no right to. */
const asOwnerIn = ({ project }: PlatformOwner, text: string, values: unknown[]) =>
  asOwner(service.database, async (client) => {
    await client.query('begin')
    await client.query(`select set_config('petstore.projects', $1, true)`, [`{${project}}`])
    await client.query(text, [project, ...values])
    await client.query('commit')
  })
const expire = (owner: PlatformOwner, { id }: Fresh) =>
  asOwnerIn(owner, 'update invitations set expires_at = now() where project_id = $1 and id = $2', [id])

/** The whole response without the parts that differ from request to request. */
const bytesOf = ({ status, rawHeaders, text }: Received) => ({
  status,
  text,
  heads: rawHeaders.filter((_, index) => !/^(request-id|date|ratelimit)$/i.test(rawHeaders[index - (index % 2)] ?? '')),
})

describe('members', () => {
  test('are listed with name, address and role, in the order in which they joined', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'viewer', 'Tom')
    const member = { addedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) }
    expect(rowsOf(await tom.send('GET', `/projects/${mia.slug}/members`))).toEqual([
      { id: mia.id, name: 'Mia', email: mia.email, role: 'owner', ...member },
      { id: tom.id, name: 'Tom', email: tom.email, role: 'viewer', ...member },
    ])
  })

  test('get another role from an owner, with an audit event', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'viewer', 'Tom')
    const answer = await mia.send('PATCH', `/projects/${mia.slug}/members/${tom.id}`, { role: 'admin' })
    expect(answer.status).toBe(200)
    expect(bodyOf(answer)).toMatchObject({ id: tom.id, name: 'Tom', role: 'admin' })
    expect(bodyOf(await tom.send('GET', `/projects/${mia.slug}`))['role']).toBe('admin')
    expect((await auditEventsOf(mia)).at(-1)).toEqual({
      actor: mia.id,
      action: 'member_changed',
      subject: tom.id,
      detail: { from: 'viewer', to: 'admin', invitationsRevoked: [] },
    })
  })

  test('that get the role they have are not changed, without an audit event', async () => {
    const mia = await newOwner()
    const before = await auditEventsOf(mia)
    const answer = await mia.send('PATCH', `/projects/${mia.slug}/members/${mia.id}`, { role: 'owner' })
    expect([answer.status, bodyOf(answer)['role']]).toEqual([200, 'owner'])
    expect(await auditEventsOf(mia)).toEqual(before)
  })

  test('are removed by an owner, with an audit event: the project no longer exists for them', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'admin')
    const path = `/projects/${mia.slug}`
    const places = async () => {
      const text = 'select project_id from member_directory where account_id = $1'
      return (await asOwner(service.database, (client) => client.query(text, [tom.id]))).rows.length
    }
    expect(await places()).toBe(1)
    expect((await mia.send('DELETE', `${path}/members/${tom.id}`)).status).toBe(204)
    expect(await places()).toBe(0)
    expect(await rolesIn(mia)).toEqual({ [mia.id]: 'owner' })
    expectRefusal(await tom.send('GET', path), 404, 'not_found', 'No project with this slug.')
    expect(rowsOf(await tom.send('GET', '/projects'))).toEqual([])
    expect((await auditEventsOf(mia)).at(-1)).toEqual({
      actor: mia.id,
      action: 'member_removed',
      subject: tom.id,
      detail: { role: 'admin', invitationsRevoked: [] },
    })
  })

  test.each<Role>(['viewer', 'admin', 'owner'])('can leave as %s', async (role) => {
    const mia = await newOwner()
    const tom = await joined(mia, role)
    expect((await tom.send('DELETE', `/projects/${mia.slug}/members/${tom.id}`)).status).toBe(204)
    expect(await rolesIn(mia)).toEqual({ [mia.id]: 'owner' })
    expect((await auditEventsOf(mia)).at(-1)).toMatchObject({
      actor: tom.id,
      action: 'member_removed',
      subject: tom.id,
    })
  })

  test('with reduced rights lose the links they created, so that none leads back', async () => {
    const mia = await newOwner()
    const [tom, eve] = [await joined(mia, 'admin'), await joined(mia, 'owner')]
    const links = [
      await invited(tom, mia.slug, 'admin'),
      await invited(eve, mia.slug, 'admin'),
      await invited(mia, mia.slug, 'viewer'),
    ]
    const members = `/projects/${mia.slug}/members`
    expect((await mia.send('DELETE', `${members}/${tom.id}`)).status).toBe(204)
    expect((await mia.send('PATCH', `${members}/${eve.id}`, { role: 'admin' })).status).toBe(200)
    expect((await auditEventsOf(mia)).slice(-2).map(({ detail }) => detail['invitationsRevoked'])).toEqual([
      [links[0]?.id],
      [links[1]?.id],
    ])
    expect(rowsOf(await mia.send('GET', `/projects/${mia.slug}/invitations`)).map(({ id }) => id)).toEqual([
      links[2]?.id,
    ])
    expectRefusal(await accept(tom, links[0]?.secret ?? ''), 404, 'not_found')
    expectRefusal(await accept(eve, links[1]?.secret ?? ''), 404, 'not_found')
    expect(await placesOf(mia)).toBe(1)
  })

  test('with more rights keep the links they created', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'admin')
    const { secret } = await invited(tom, mia.slug, 'viewer')
    expect((await mia.send('PATCH', `/projects/${mia.slug}/members/${tom.id}`, { role: 'owner' })).status).toBe(200)
    expect((await accept(await signUp(), secret)).status).toBe(200)
  })

  test.each<[what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field']>([
    ['an unknown one', { role: 'king' }, 'invalid_field'],
    ['none', {}, 'missing_field'],
    ['null', { role: null }, 'invalid_field'],
    ['more than one', { role: 'admin', other: 'viewer' }, 'unknown_field'],
  ])('do not get %s as a role', async (_, body, code) => {
    const mia = await newOwner()
    expectRefusal(await mia.send('PATCH', `/projects/${mia.slug}/members/${mia.id}`, body), 400, code)
  })

  test.each(['acc_000000000000000000000000', 'x', 'x'.repeat(300)])(
    'with the identifier %s are not found',
    async (id) => {
      const mia = await newOwner()
      const path = `/projects/${mia.slug}/members/${id}`
      expectRefusal(
        await mia.send('PATCH', path, { role: 'admin' }),
        404,
        'not_found',
        'No member with this identifier.',
      )
      expectRefusal(await mia.send('DELETE', path), 404, 'not_found', 'No member with this identifier.')
    },
  )
})

/** Rows of the directory of invitations that lead to a project. */
const placesOf = async ({ project }: PlatformOwner) => {
  const text = 'select digest from invitation_directory where project_id = $1'
  return (await asOwner(service.database, (client) => client.query(text, [project]))).rows.length
}

describe('the last owner', () => {
  test('is neither demoted nor removed, not even by themselves', async () => {
    const mia = await newOwner()
    await joined(mia, 'admin')
    const path = `/projects/${mia.slug}/members/${mia.id}`
    expectRefusal(await mia.send('PATCH', path, { role: 'admin' }), 409, 'last_owner')
    expectRefusal(await mia.send('DELETE', path), 409, 'last_owner')
    expect((await rolesIn(mia))[mia.id]).toBe('owner')
  })

  test('may leave once there is another', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'owner')
    expect((await mia.send('DELETE', `/projects/${mia.slug}/members/${mia.id}`)).status).toBe(204)
    const path = `/projects/${mia.slug}/members/${tom.id}`
    expectRefusal(await tom.send('DELETE', path), 409, 'last_owner')
  })

  test.each<[what: string, method: string, body?: PlatformJson]>([
    ['demote', 'PATCH', { role: 'viewer' }],
    ['remove', 'DELETE'],
  ])('stays when two owners %s each other concurrently', async (_, method, body) => {
    const mia = await newOwner()
    const tom = await joined(mia, 'owner')
    const members = `/projects/${mia.slug}/members`
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([
        mia.send(method, `${members}/${tom.id}`, body),
        tom.send(method, `${members}/${mia.id}`, body),
      ])
      const won = answers.filter(({ status }) => status < 300)
      expect(won.length).toBe(1)
      const [lost] = answers.filter(({ status }) => status >= 300)
      // The second is no longer an owner, or finds that they are the last one.
      expect([403, 404, 409]).toContain(lost?.status)
      const [winner, loser] = answers[0] === won[0] ? [mia, tom] : [tom, mia]
      const roles = rowsOf(await winner.send('GET', members)).map(({ role }) => role)
      expect(roles.filter((role) => role === 'owner')).toEqual(['owner'])
      await join(loser, { ...winner, slug: mia.slug }, 'owner')
    }
  })

  test('stays when two owners leave concurrently', async () => {
    const mia = await newOwner()
    const tom = await joined(mia, 'owner')
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all(
        [mia, tom].map((person) => person.send('DELETE', `/projects/${mia.slug}/members/${person.id}`)),
      )
      expect(statusesOf(answers)).toEqual([204, 409])
      const [gone, left] = answers[0]?.status === 204 ? [mia, tom] : [tom, mia]
      await join(gone, { ...left, slug: mia.slug }, 'owner')
    }
  })
})

describe('the rights of each role', () => {
  type Action = { who: PersonClient; mia: PlatformOwner; tom: PersonClient; invitation: Fresh }
  const actions: Record<string, (action: Action) => Promise<Received>> = {
    'list members': ({ who, mia }) => who.send('GET', `/projects/${mia.slug}/members`),
    'change a member': ({ who, mia, tom }) =>
      who.send('PATCH', `/projects/${mia.slug}/members/${tom.id}`, { role: 'admin' }),
    'remove another member': ({ who, mia, tom }) => who.send('DELETE', `/projects/${mia.slug}/members/${tom.id}`),
    'list invitations': ({ who, mia }) => who.send('GET', `/projects/${mia.slug}/invitations`),
    'invite a viewer': ({ who, mia }) =>
      who.send('POST', `/projects/${mia.slug}/invitations`, { email: EMAIL, role: 'viewer' }),
    'invite an admin': ({ who, mia }) =>
      who.send('POST', `/projects/${mia.slug}/invitations`, { email: EMAIL, role: 'admin' }),
    'invite an owner': ({ who, mia }) =>
      who.send('POST', `/projects/${mia.slug}/invitations`, { email: EMAIL, role: 'owner' }),
    'revoke an invitation': ({ who, mia, invitation }) =>
      who.send('DELETE', `/projects/${mia.slug}/invitations/${invitation.id}`),
  }
  const table: [action: string, viewer: number, admin: number, owner: number][] = [
    ['list members', 200, 200, 200],
    ['change a member', 403, 403, 200],
    ['remove another member', 403, 403, 204],
    ['list invitations', 403, 200, 200],
    ['invite a viewer', 403, 201, 201],
    ['invite an admin', 403, 201, 201],
    // An owner may, and gets no link for it.
    ['invite an owner', 403, 403, 409],
    ['revoke an invitation', 403, 204, 204],
  ]

  /** The same people in one project after the other. */
  let cast: Promise<PersonClient[]> | undefined

  test('are tested for every action', () => {
    expect(table.map(([action]) => action)).toEqual(Object.keys(actions))
  })

  test.each(table)(
    '%s: viewer %i, admin %i, owner %i; anyone else 404, without a session 401',
    async (action, ...wanted) => {
      const act = actions[action]
      if (!act) throw new Error('no such action')
      const mia = await newOwner()
      const [viewer, admin, owner, tom, stranger] = await (cast ??= Promise.all([1, 2, 3, 4, 5].map(() => signUp())))
      if (!viewer || !admin || !owner || !tom || !stranger) throw new Error('somebody is missing')
      const people = [
        await join(viewer, mia, 'viewer'),
        await join(admin, mia, 'admin'),
        await join(owner, mia, 'owner'),
        stranger,
        { ...stranger, ...anyone },
      ]
      await join(tom, mia, 'viewer')
      for (const [index, who] of people.entries()) {
        const noted = (await auditEventsOf(mia)).length
        const invitation = await invited(mia, mia.slug, 'viewer')
        const answer = await act({ who, mia, tom, invitation })
        const status = [...wanted, 404, 401][index]
        expect([action, index, answer.status]).toEqual([action, index, status])
        if (status === 403) expectRefusal(answer, 403, 'insufficient_role')
        if (status === 409) expectRefusal(answer, 409, 'mail_unavailable')
        const isChange = answer.status < 300 && !action.startsWith('list')
        expect((await auditEventsOf(mia)).length).toBe(noted + 1 + (isChange ? 1 : 0))
      }
    },
  )
})

describe('invitations', () => {
  test('return their link once, and are listed without it, newest first', async () => {
    const mia = await newOwner()
    const first = await invited(mia, mia.slug, 'viewer', 'Tom 🦜')
    const answer = await mia.send('POST', `/projects/${mia.slug}/invitations`, { email: EMAIL, role: 'admin' })
    const { link, ...rest } = bodyOf(answer)
    const secret = invitationSecret({ link })
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(link).toBe(`${DASHBOARD}/invitations#${secret}`)
    expect(rest).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-f]{24}$/),
      email: EMAIL,
      isMailed: false,
      role: 'admin',
      note: '',
      createdBy: mia.id,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
    expect(Date.parse(String(rest['expiresAt'])) - Date.parse(String(rest['createdAt']))).toBe(7 * 24 * 3600 * 1000)
    const list = await mia.send('GET', `/projects/${mia.slug}/invitations`)
    expect(rowsOf(list)).toEqual([rest, expect.objectContaining({ id: first.id, note: 'Tom 🦜', role: 'viewer' })])
    for (const hidden of [secret, first.secret]) {
      expect(list.text).not.toContain(hidden)
      expect(service.logs.filter((line) => line.includes(hidden))).toEqual([])
      expect(JSON.stringify(await auditEventsOf(mia))).not.toContain(hidden)
    }
  })

  test('make the accepting person a member, once, with an audit event', async () => {
    const mia = await newOwner()
    const [tom, eve] = [await signUp('Tom'), await signUp('Eve')]
    const { id, secret } = await invited(mia, mia.slug, 'admin', 'Tom')
    const answer = await accept(tom, secret)
    expect([answer.status, bodyOf(answer)]).toEqual([200, { slug: mia.slug, role: 'admin' }])
    expect(rowsOf(await tom.send('GET', '/projects'))).toMatchObject([{ slug: mia.slug, role: 'admin' }])
    for (const person of [tom, eve, mia]) expectRefusal(await accept(person, secret), 404, 'not_found')
    expect(await rolesIn(mia)).toEqual({ [mia.id]: 'owner', [tom.id]: 'admin' })
    expect(rowsOf(await mia.send('GET', `/projects/${mia.slug}/invitations`))).toEqual([])
    expect(await placesOf(mia)).toBe(0)
    expect(await auditEventsOf(mia)).toEqual([
      { actor: mia.id, action: 'invitation_created', subject: id, detail: { role: 'admin', note: 'Tom' } },
      { actor: tom.id, action: 'invitation_accepted', subject: id, detail: { role: 'admin' } },
    ])
  })

  test('that many accept concurrently are accepted by one', async () => {
    const mia = await newOwner()
    const people = await Promise.all([1, 2, 3, 4].map(() => signUp()))
    for (let round = 0; round < 8; round++) {
      const { secret } = await invited(mia, mia.slug, 'viewer')
      const answers = await Promise.all(people.map((person) => accept(person, secret)))
      expect(statusesOf(answers)).toEqual([200, 404, 404, 404])
      const got = people[answers.findIndex(({ status }) => status === 200)]?.id ?? ''
      expect(await rolesIn(mia)).toEqual({ [mia.id]: 'owner', [got]: 'viewer' })
      expect((await mia.send('DELETE', `/projects/${mia.slug}/members/${got}`)).status).toBe(204)
    }
  })

  test.each<[has: Role, gets: Role, keeps: Role]>([
    ['viewer', 'admin', 'admin'],
    ['admin', 'viewer', 'admin'],
    ['owner', 'viewer', 'owner'],
    ['admin', 'admin', 'admin'],
  ])('of a member who is %s, to be %s, leave the higher role: %s', async (has, gets, keeps) => {
    const mia = await newOwner()
    const tom = await joined(mia, has)
    const { secret } = await invited(mia, mia.slug, gets)
    expect(bodyOf(await accept(tom, secret))).toEqual({ slug: mia.slug, role: keeps })
    expect((await rolesIn(mia))[tom.id]).toBe(keeps)
    expectRefusal(await accept(await signUp(), secret), 404, 'not_found')
    expect((await auditEventsOf(mia)).at(-1)).toMatchObject({ actor: tom.id, detail: { role: keeps, from: has } })
  })

  test('show the holder of the link who invites to what, even before they have an account', async () => {
    const mia = await newOwner()
    const { secret } = await invited(mia, mia.slug, 'admin', 'Tom, weekends')
    const account = bodyOf(await mia.send('GET', '/account'))
    const project = bodyOf(await mia.send('GET', `/projects/${mia.slug}`))
    const answer = await show(secret)
    expect([answer.status, bodyOf(answer)]).toEqual([
      200,
      {
        projectName: project['name'],
        email: EMAIL,
        isMailed: false,
        role: 'admin',
        invitedBy: account['name'],
        expiresAt: expect.any(String),
      },
    ])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(service.logs.filter((line) => line.includes(secret))).toEqual([])
    // Reading does not use it up.
    expect((await accept(await signUp(), secret)).status).toBe(200)
    expectRefusal(await show(secret), 404, 'not_found', 'No invitation that can be accepted.')
  })

  test('that were revoked, have expired or never existed get one response', async () => {
    const mia = await newOwner()
    const tom = await signUp()
    const [revoked, expired] = [await invited(mia, mia.slug, 'viewer'), await invited(mia, mia.slug, 'viewer')]
    expect((await mia.send('DELETE', `/projects/${mia.slug}/invitations/${revoked.id}`)).status).toBe(204)
    await expire(mia, expired)
    const answers = [
      await accept(tom, revoked.secret),
      await accept(tom, expired.secret),
      await accept(tom, 'A'.repeat(43)),
      await accept(tom, '\u0000'),
    ]
    for (const secret of [revoked.secret, expired.secret, 'A'.repeat(43), 'x'])
      expectRefusal(await show(secret), 404, 'not_found', 'No invitation that can be accepted.')
    for (const answer of answers) {
      expectRefusal(answer, 404, 'not_found', 'No invitation that can be accepted.')
      expect(bytesOf(answer)).toEqual(bytesOf(answers[2] as Received))
    }
    expect(await rolesIn(mia)).toEqual({ [mia.id]: 'owner' })
    expect((await auditEventsOf(mia)).at(-1)).toEqual({
      actor: mia.id,
      action: 'invitation_revoked',
      subject: revoked.id,
      detail: { role: 'viewer' },
    })
  })

  test('that have expired are not listed, cannot be revoked, and are deleted with the next one', async () => {
    const mia = await newOwner()
    const expired = await invited(mia, mia.slug, 'viewer')
    await expire(mia, expired)
    const path = `/projects/${mia.slug}/invitations`
    expect(rowsOf(await mia.send('GET', path))).toEqual([])
    expectRefusal(await mia.send('DELETE', `${path}/${expired.id}`), 404, 'not_found')
    expect(await placesOf(mia)).toBe(1)
    const { id } = await invited(mia, mia.slug, 'viewer')
    expect(rowsOf(await mia.send('GET', path)).map((row) => row['id'])).toEqual([id])
    expect(await placesOf(mia)).toBe(1)
  })

  test.each<
    [what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field', says: RegExp]
  >([
    ['no role', { email: EMAIL, note: 'Tom' }, 'missing_field', /role/],
    ['an unknown role', { email: EMAIL, role: 'king' }, 'invalid_field', /'role' must be one of viewer, admin, owner/],
    ['a note of 101 characters', { email: EMAIL, role: 'viewer', note: 'x'.repeat(101) }, 'invalid_field', /'note'/],
    ['a note with a line break', { email: EMAIL, role: 'viewer', note: 'a\nb' }, 'invalid_field', /'note'/],
    ['no address', { role: 'viewer' }, 'missing_field', /email/],
    ['no valid address', { email: 'tom', role: 'viewer' }, 'invalid_field', /'email'/],
    ['a very long address', { email: `${'\ufdfa'.repeat(99)}@p`, role: 'viewer' }, 'invalid_field', /'email'/],
    ['a link to choose', { email: EMAIL, role: 'viewer', link: 'x' }, 'unknown_field', /'link'/],
  ])('are not created with %s', async (_, body, code, says) => {
    const mia = await newOwner()
    expectRefusal(await mia.send('POST', `/projects/${mia.slug}/invitations`, body), 400, code, says)
    expect(await auditEventsOf(mia)).toEqual([])
  })

  test.each<[what: string, body: PlatformJson, code: 'invalid_field' | 'missing_field' | 'unknown_field']>([
    ['no secret', {}, 'missing_field'],
    ['an empty secret', { secret: '' }, 'invalid_field'],
    ['a secret of 101 characters', { secret: 'x'.repeat(101) }, 'invalid_field'],
    ['a role to choose', { secret: 'x', role: 'owner' }, 'unknown_field'],
  ])('are not accepted with %s', async (_, body, code) => {
    expectRefusal(await (await signUp()).send('POST', '/invitations/accept', body), 400, code)
  })

  test('are not accepted without a session, and stay', async () => {
    const mia = await newOwner()
    const { secret } = await invited(mia, mia.slug, 'viewer')
    expectRefusal(await anyone.send('POST', '/invitations/accept', { secret }), 401, 'not_signed_in')
    expect((await accept(await signUp(), secret)).status).toBe(200)
  })

  test('lead nowhere once the project is deleted', async () => {
    const mia = await newOwner()
    const { secret } = await invited(mia, mia.slug, 'viewer')
    await asOwnerIn(mia, 'update projects set deleted_at = now() where project_id = $1', [])
    expectRefusal(await accept(await signUp(), secret), 404, 'not_found', 'No invitation that can be accepted.')
    expectRefusal(await show(secret), 404, 'not_found', 'No invitation that can be accepted.')
  })

  test.each(['x', 'inv_', 'inv_000000000000000000000000'])('with the identifier %s are not found', async (id) => {
    const mia = await newOwner()
    const answer = await mia.send('DELETE', `/projects/${mia.slug}/invitations/${id}`)
    expectRefusal(answer, 404, 'not_found', 'No invitation with this identifier.')
  })

  test('are limited to 100 open ones per project, even with concurrent requests', async () => {
    const mia = await newOwner()
    await asOwnerIn(
      mia,
      `insert into invitations (project_id, id, email, is_mailed, role, note, created_by, expires_at)
       select $1, 'inv_' || lpad(to_hex(n), 24, '0'), $3, false, 'viewer', '', $2, now() + interval '1 day'
       from generate_series(1, 98) as n`,
      [mia.id, EMAIL],
    )
    const invite = () => mia.send('POST', `/projects/${mia.slug}/invitations`, { email: EMAIL, role: 'viewer' })
    const answers = await Promise.all([invite(), invite(), invite(), invite(), invite()])
    expect(statusesOf(answers)).toEqual([201, 201, 409, 409, 409])
    expectRefusal(await invite(), 409, 'limit_reached')
  })

  test('fill a project up to its plan, even when accepted concurrently; the others may try again', async () => {
    const mia = await newOwner()
    const most = defaultRules.limitsOf('free').members
    await asOwnerIn(
      mia,
      `insert into members (project_id, account_id, role)
       select $1, 'acc_' || lpad(to_hex(n), 24, '0'), 'viewer'
       from generate_series(1, $2::integer) as n`,
      [most - 2],
    )
    const people = await Promise.all([signUp(), signUp(), signUp()])
    const links = [
      await invited(mia, mia.slug, 'viewer'),
      await invited(mia, mia.slug, 'viewer'),
      await invited(mia, mia.slug, 'viewer'),
    ]
    const answers = await Promise.all(people.map((person, index) => accept(person, links[index]?.secret ?? '')))
    expect(statusesOf(answers)).toEqual([200, 403, 403])
    const late = answers.findIndex(({ status }) => status === 403)
    expectRefusal(answers[late] as Received, 403, 'plan_required')
    expect((await mia.send('DELETE', `/projects/${mia.slug}/members/acc_${'0'.repeat(23)}1`)).status).toBe(204)
    expect((await accept(people[late] as PersonClient, links[late]?.secret ?? '')).status).toBe(200)
  })

  test('never make more members than a list shows, in any plan', () => {
    for (const plan of plans) expect(defaultRules.limitsOf(plan).members).toBeLessThanOrEqual(MEMBERS_MAX)
  })
})

test('an identifier that is no valid text for PostgreSQL is not found', async () => {
  const mia = await newOwner()
  for (const path of ['members/%00', 'invitations/%00', 'invitations/inv_%00']) {
    expectRefusal(await mia.send('DELETE', `/projects/${mia.slug}/${path}`), 404, 'not_found')
  }
})

describe('another project', () => {
  test('is not found: every path of it is answered like one that never existed', async () => {
    const [mia, tom] = [await newOwner(), await newOwner()]
    const { id } = await invited(tom, tom.slug, 'viewer')
    const calls: [method: string, path: string, body?: PlatformJson][] = [
      ['GET', '/members'],
      ['PATCH', `/members/${tom.id}`, { role: 'viewer' }],
      ['DELETE', `/members/${tom.id}`],
      ['GET', '/invitations'],
      ['POST', '/invitations', { email: EMAIL, role: 'viewer' }],
      ['DELETE', `/invitations/${id}`],
    ]
    for (const [method, path, body] of calls) {
      const foreign = await mia.send(method, `/projects/${tom.slug}${path}`, body)
      expectRefusal(foreign, 404, 'not_found', 'No project with this slug.')
      expect(bytesOf(foreign)).toEqual(bytesOf(await mia.send(method, `/projects/never-was${path}`, body)))
    }
  })

  test("has members and invitations that cannot be reached through one's own, like those that never existed", async () => {
    const [mia, tom] = [await newOwner(), await newOwner()]
    const { id, secret } = await invited(tom, tom.slug, 'viewer')
    const calls: [method: string, foreign: string, missing: string, body?: PlatformJson][] = [
      ['PATCH', `/members/${tom.id}`, '/members/acc_000000000000000000000000', { role: 'viewer' }],
      ['DELETE', `/members/${tom.id}`, '/members/acc_000000000000000000000000'],
      ['DELETE', `/invitations/${id}`, '/invitations/inv_000000000000000000000000'],
    ]
    for (const [method, foreign, missing, body] of calls) {
      const answer = await mia.send(method, `/projects/${mia.slug}${foreign}`, body)
      expect(answer.status).toBe(404)
      expect(bytesOf(answer)).toEqual(bytesOf(await mia.send(method, `/projects/${mia.slug}${missing}`, body)))
    }
    expect(Object.keys(await rolesIn(mia))).toEqual([mia.id])
    expect(rowsOf(await mia.send('GET', `/projects/${mia.slug}/invitations`))).toEqual([])
    expect((await accept(await signUp(), secret)).status).toBe(200)
  })
})
