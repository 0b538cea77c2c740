// Members: the rights of each role, a project that always keeps an owner, isolation of other projects, and an audit event
// for every change.

import { describe, expect, test } from 'vitest'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { expectRefusal } from '../v1/responses.ts'
import { asOwner } from '../../../testbed/harness/database.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { type PlatformJson, type PlatformOwner, type PersonClient } from '../../../testbed/harness/platform.ts'
import {
  setUpMemberships,
  service,
  anyone,
  signUp,
  newOwner,
  type Fresh,
  bodyOf,
  rowsOf,
  statusesOf,
  EMAIL,
  invited,
  accept,
  join,
  joined,
  rolesIn,
  auditEventsOf,
  bytesOf,
  placesOf,
} from './memberships.ts'

setUpMemberships()

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
