// Invitations: links that work once, for whom they are, and how many there can be.

import { describe, expect, test } from 'vitest'
import { MEMBERS_MAX } from '@petstore-platform/contract/platform/members'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { plans } from '@petstore-platform/contract/platform/projects'
import { defaultRules } from '../../src/plans/limits.ts'
import { expectRefusal } from '../v1/responses.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { DASHBOARD, type PlatformJson, type PersonClient } from '../../../testbed/harness/platform.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'
import {
  setUpMemberships,
  service,
  anyone,
  signUp,
  newOwner,
  bodyOf,
  rowsOf,
  statusesOf,
  EMAIL,
  invited,
  show,
  accept,
  joined,
  rolesIn,
  auditEventsOf,
  asOwnerIn,
  expire,
  bytesOf,
  placesOf,
} from './memberships.ts'

setUpMemberships()

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
