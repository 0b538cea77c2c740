// Projects on `/platform/v1`, for members, strangers and requests without a session; the
// limits of a plan, and the effect of the operator's commands on it.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { defaultRules } from '../../src/plans/limits.ts'
import { setPlan } from '../../src/plans/plans.io.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { asProject, expectRefusal } from '../v1/responses.ts'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import { bytesOf, startPeople } from './people.ts'
import type { PlatformJson, PlatformOwner } from '../../../testbed/harness/platform.ts'
import { childEnv } from '../../../testbed/harness/child-env.ts'
import { invitationSecret } from '../../../testbed/harness/session.ts'

const people = await startPeople()
const mia = await people.owner('happy-paws')
const other = await people.owner()

const pathOf = ({ slug }: PlatformOwner, rest = '') => `/projects/${slug}${rest}`
const read = ({ json }: Received) => json as PlatformJson
const outcome = ({ status, text }: Received) =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { code: string }).code}`
const auditEvents = (owner: PlatformOwner) =>
  asProject(people.test.database, owner.project, async (client) => {
    const { rows } = await client.query<{ actor: string; action: string; subject: string; detail: object }>(
      'select actor, action, subject, detail from audit where project_id = $1 order by id desc',
      [owner.project],
    )
    return rows
  })

describe('a project', () => {
  test('is returned with its plan, what that includes, and its usage', async () => {
    const answer = await mia.send('GET', pathOf(mia))
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      slug: 'happy-paws',
      name: 'happy-paws',
      kind: 'shop',
      isKindChosen: false,
      plan: 'free',
      limits: defaultRules.limitsOf('free'),
      usage: { members: 1, keys: 0, photoBytes: 0 },
      role: 'owner',
      siteUrl: expect.stringMatching(/^https?:\/\/happy-paws\./),
      defaultSiteUrl: expect.stringMatching(/^https?:\/\/happy-paws\./),
      isSuspended: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('counts its members and its active keys, and neither revoked nor expired ones', async () => {
    const owner = await people.owner()
    await people.joins(owner, 'viewer')
    const ids: string[] = []
    for (const label of ['a', 'b', 'c']) {
      ids.push(String(read(await owner.send('POST', pathOf(owner, '/keys'), { label }))['id']))
    }
    await owner.send('DELETE', pathOf(owner, `/keys/${ids[0]}`))
    await asProject(people.test.database, owner.project, (client) =>
      client.query(`update api_keys set expires_at = now() - interval '1 second' where id = $1`, [ids[1]]),
    )
    expect(read(await owner.send('GET', pathOf(owner)))['usage']).toEqual({ members: 2, keys: 1, photoBytes: 0 })
  })

  test('is in the list of each of its members, with the role of the caller, and in no other', async () => {
    const owner = await people.owner()
    const viewer = await people.joins(owner, 'viewer')
    await viewer.send('POST', '/projects', { slug: `aa-${owner.slug}`, name: 'Own' })
    const listed = (await viewer.send('GET', '/projects')).json as PlatformJson[]
    expect(listed.map(({ slug, role }) => [slug, role])).toEqual([
      [`aa-${owner.slug}`, 'owner'],
      [owner.slug, 'viewer'],
    ])
    expect(listed[1]).toMatchObject({ plan: 'free', usage: { members: 2, keys: 0 } })
    expect((await other.send('GET', '/projects')).text).not.toContain(owner.slug)
    expect((await (await people.signUp()).send('GET', '/projects')).text).toBe('[]')
  })
})

test.each(['%00', 'a%00b', '%C3%28', '../..', 'NORTH', 'x'.repeat(300)])(
  'a slug that no project can have, %s, is answered like an unused one',
  async (slug) => {
    expect(outcome(await mia.send('GET', `/projects/${slug}`))).toBe('404 not_found')
  },
)

describe('renaming', () => {
  test('changes the displayed name and nothing else, and is recorded once', async () => {
    const owner = await people.owner()
    const before = read(await owner.send('GET', pathOf(owner)))
    const renamed = await owner.send('PATCH', pathOf(owner), { name: 'Pfoten 🐾' })
    expect([renamed.status, renamed.json]).toEqual([200, { ...before, name: 'Pfoten 🐾' }])
    await owner.send('PATCH', pathOf(owner), { name: 'Pfoten 🐾' })
    expect(read(await owner.send('GET', pathOf(owner)))['name']).toBe('Pfoten 🐾')
    expect((await auditEvents(owner)).filter(({ action }) => action === 'project_renamed')).toEqual([
      {
        actor: owner.id,
        action: 'project_renamed',
        subject: owner.slug,
        detail: { from: owner.slug, to: 'Pfoten 🐾' },
      },
    ])
  })

  test.each([
    ['no name', {}, 'missing_field'],
    ['an empty name', { name: '' }, 'invalid_field'],
    ['white space', { name: ' \u00a0 ' }, 'invalid_field'],
    ['a control character', { name: 'a\u0007' }, 'invalid_field'],
    ['256 characters', { name: 'x'.repeat(256) }, 'invalid_field'],
    ['a number', { name: 5 }, 'invalid_field'],
    ['another slug', { name: 'a', slug: 'b' }, 'unknown_field'],
    ['a plan', { name: 'a', plan: 'pro' }, 'unknown_field'],
  ] as const)('is refused with %s', async (_, body, code) => {
    expectRefusal(await mia.send('PATCH', pathOf(mia), body), 400, code)
  })
})

describe('creating a project', () => {
  test.each([
    ['upper case', 'Paws', 400, 'invalid_field'],
    ['digits alone', '2026', 400, 'invalid_field'],
    ['a name of the platform', 'www', 409, 'slug_taken'],
    ['what a browser would show as something else', 'xn--80ak6aa92e', 409, 'slug_taken'],
    ['one that is taken', 'happy-paws', 409, 'slug_taken'],
  ] as const)('is refused with %s as its slug', async (_, slug, status, code) => {
    expectRefusal(await other.send('POST', '/projects', { slug, name: 'any' }), status, code)
  })

  test('gives a slug to exactly one of many concurrent requests', async () => {
    const rivals = await Promise.all(Array.from({ length: 8 }, () => people.signUp()))
    const answers = await Promise.all(
      rivals.map((one) => one.send('POST', '/projects', { slug: 'rare', name: 'Rare' })),
    )
    expect(answers.map(outcome).sort()).toEqual(['201', ...Array<string>(7).fill('409 slug_taken')])
    const lists = await Promise.all(rivals.map((one) => one.send('GET', '/projects')))
    expect(lists.filter(({ text }) => text !== '[]')).toHaveLength(1)
  })
})

describe('the availability of a slug', () => {
  test.each([
    ['of-nobody', true, null],
    ['happy-paws', false, 'taken'],
    ['admin', false, 'reserved'],
    ['Paws', false, 'invalid'],
    ['a'.repeat(64), false, 'invalid'],
    ['42', false, 'invalid'],
  ])("'%s': %s, %s", async (slug, isFree, reason) => {
    const answer = await other.send('GET', `/slugs/${slug}`)
    const siteUrl = isFree || reason === 'taken' ? expect.stringMatching(new RegExp(`^https?://${slug}\\.`)) : null
    expect([answer.status, answer.json]).toEqual([200, { slug, isFree, reason, siteUrl }])
  })

  test('is returned for any text, with the text that was requested', async () => {
    const answer = await other.send('GET', `/slugs/${encodeURIComponent('"ä/\u0007')}`)
    expect(answer.json).toEqual({ slug: '"ä/\u0007', isFree: false, reason: 'invalid', siteUrl: null })
  })

  test('is returned only to signed-in people', async () => {
    expectRefusal(await people.anyone.send('GET', '/slugs/happy-paws'), 401, 'not_signed_in')
  })
})

describe('deleting', () => {
  test('makes the project as if it had never existed, for every member at once', async () => {
    const owner = await people.owner()
    const members = [owner, await people.joins(owner, 'admin'), await people.joins(owner, 'viewer')]
    const missing = bytesOf(await owner.send('GET', '/projects/there-is-none'))
    expect((await owner.send('DELETE', pathOf(owner), { slug: owner.slug })).status).toBe(204)
    for (const member of members) {
      expect(bytesOf(await member.send('GET', pathOf(owner)))).toBe(missing)
      expect((await member.send('GET', '/projects')).text).toBe('[]')
      // It does not count towards the hundred that a list shows either.
      expect(await directory.projectsOf(people.test.service.database.run, member.id as AccountId)).toEqual([])
    }
    expect(bytesOf(await owner.send('DELETE', pathOf(owner), { slug: owner.slug }))).toBe(missing)
    expect((await auditEvents(owner))[0]).toMatchObject({
      actor: owner.id,
      action: 'project_deleted',
      subject: owner.slug,
    })
  })

  test('ends all its keys within a second, and leaves those of others alone', async () => {
    const owner = await people.owner()
    const keyOf = async (of: PlatformOwner) =>
      String(read(await of.send('POST', pathOf(of, '/keys'), { label: 'k' }))['key'])
    const [one, two, foreign] = [await keyOf(owner), await keyOf(owner), await keyOf(other)]
    const ask = (key: string) =>
      exchange(people.test.origin, { path: '/v1/pets', headers: { Authorization: `Bearer ${key}` } })
    expect([(await ask(one)).status, (await ask(two)).status, (await ask(foreign)).status]).toEqual([200, 200, 200])

    await owner.send('DELETE', pathOf(owner), { slug: owner.slug })
    const until = Date.now() + 1000
    let answers = [await ask(one), await ask(two)]
    while (answers.some(({ status }) => status === 200) && Date.now() < until)
      answers = [await ask(one), await ask(two)]
    expect(answers.map(outcome)).toEqual(['401 revoked_api_key', '401 revoked_api_key'])
    expect((await ask(foreign)).status).toBe(200)
  })

  test('keeps the slug taken permanently, for its last owner too', async () => {
    const owner = await people.owner()
    await owner.send('DELETE', pathOf(owner), { slug: owner.slug })
    expectRefusal(await owner.send('POST', '/projects', { slug: owner.slug, name: 'again' }), 409, 'slug_taken')
    expect(read(await owner.send('GET', `/slugs/${owner.slug}`))).toMatchObject({ isFree: false, reason: 'taken' })
  })

  test.each([
    ['another slug', { slug: 'happy-paw' }, 'invalid_field'],
    ['the slug in upper case', { slug: 'HAPPY-PAWS' }, 'invalid_field'],
    ['no slug', {}, 'missing_field'],
    ['a number', { slug: 1 }, 'invalid_field'],
    ['something else beside it', { slug: 'happy-paws', force: true }, 'unknown_field'],
    ['no body', undefined, 'missing_body'],
  ] as const)('is refused with %s, and nothing happens', async (_, body, code) => {
    expectRefusal(await mia.send('DELETE', pathOf(mia), body), 400, code)
    expect((await mia.send('GET', pathOf(mia))).status).toBe(200)
  })

  test('happens once when two owners do it concurrently', async () => {
    const owner = await people.owner()
    const second = await people.joins(owner, 'owner')
    const answers = await Promise.all(
      [owner, second].map((one) => one.send('DELETE', pathOf(owner), { slug: owner.slug })),
    )
    expect(answers.map(outcome).sort()).toEqual(['204', '404 not_found'])
    expect((await auditEvents(owner)).filter(({ action }) => action === 'project_deleted')).toHaveLength(1)
  })

  test('leaves no key behind that is created at the same moment', async () => {
    const owner = await people.owner()
    const admin = await people.joins(owner, 'admin')
    const [, made] = await Promise.all([
      owner.send('DELETE', pathOf(owner), { slug: owner.slug }),
      admin.send('POST', pathOf(owner, '/keys'), { label: 'late' }),
    ])
    expect(['201', '404 not_found']).toContain(outcome(made))
    const living = await asProject(people.test.database, owner.project, (client) =>
      client.query('select from api_keys where project_id = $1 and revoked_at is null', [owner.project]),
    )
    expect(living.rowCount).toBe(0)
  })
})

describe('access to a project', () => {
  const cases: [string, string, (owner: PlatformOwner) => PlatformJson | undefined, Record<string, string>][] = [
    ['GET', 'see it', () => undefined, { viewer: '200', admin: '200', owner: '200' }],
    ['PATCH', 'rename it', () => ({ name: 'New' }), { viewer: '403 insufficient_role', admin: '200', owner: '200' }],
    [
      'DELETE',
      'delete it',
      ({ slug }) => ({ slug }),
      { viewer: '403 insufficient_role', admin: '403 insufficient_role', owner: '204' },
    ],
  ]
  test.each(cases)('%s: only a role that allows it may %s', async (method, _, body, allowed) => {
    const owner = await people.owner()
    const everybody = await people.everybody(owner)
    const expected = { ...allowed, stranger: '404 not_found', nobody: '401 not_signed_in' }
    // The owner last: after that there may be nothing left.
    for (const who of ['nobody', 'stranger', 'viewer', 'admin', 'owner'] as const) {
      const answer = await everybody[who].send(method, pathOf(owner), body(owner))
      expect([who, outcome(answer)]).toEqual([who, expected[who as keyof typeof expected]])
    }
  })

  test.each(['GET', 'PATCH', 'DELETE'])(
    '%s of another project is byte for byte like one that does not exist',
    async (method) => {
      const body = method === 'GET' ? undefined : method === 'PATCH' ? { name: 'x' } : { slug: mia.slug }
      const foreign = await other.send(method, pathOf(mia), body)
      const missing = await other.send(method, '/projects/there-is-none', body)
      expect(foreign.status).toBe(404)
      expect(bytesOf(foreign)).toBe(bytesOf(missing))
    },
  )
})

describe('a plan', () => {
  const put = (owner: PlatformOwner, plan: 'free' | 'pro' | 'enterprise') =>
    setPlan({ inProject: inProjectOf(people.test.service.database) }, owner.project, plan, 'operator')

  test('that is set is returned with what it includes, and recorded once', async () => {
    const owner = await people.owner()
    await put(owner, 'pro')
    await put(owner, 'pro')
    expect(read(await owner.send('GET', pathOf(owner)))).toMatchObject({
      plan: 'pro',
      limits: defaultRules.limitsOf('pro'),
    })
    const [first, ...more] = (await auditEvents(owner)).filter(({ action }) => action === 'plan_set')
    expect(more).toEqual([])
    expect(first).toMatchObject({ actor: 'operator', subject: owner.slug, detail: { from: 'free', to: 'pro' } })
  })

  test('limits the number of members, even when they join concurrently', async () => {
    const owner = await people.owner()
    const most = defaultRules.limitsOf('free').members
    for (let count = 1; count < most - 1; count++) await people.joins(owner, 'viewer')
    const late = await Promise.all([people.signUp(), people.signUp(), people.signUp()])
    const secrets: string[] = []
    for (const { email } of late) {
      const invitation = await owner.send('POST', pathOf(owner, '/invitations'), { email, role: 'viewer' })
      secrets.push(invitationSecret(invitation.json))
    }
    const accept = (index: number) => late[index]?.send('POST', '/invitations/accept', { secret: secrets[index] })
    const answers = await Promise.all([accept(0), accept(1), accept(2)])
    expect(answers.map((answer) => (answer ? outcome(answer) : '')).sort()).toEqual([
      '200',
      '403 plan_required',
      '403 plan_required',
    ])
    expect(read(await owner.send('GET', pathOf(owner)))['usage']).toMatchObject({ members: most })

    // A person who was refused keeps the invitation until there is room.
    await put(owner, 'pro')
    const refused = answers.findIndex((answer) => answer?.status === 403)
    expect((await accept(refused))?.status).toBe(200)
  })
})

describe('the list of plans', () => {
  test('has what each includes, the smallest first, for signed-in people', async () => {
    const { status, json } = await other.send('GET', '/plans')
    const listed = (['free', 'pro', 'enterprise'] as const).map((plan) => ({
      plan,
      limits: defaultRules.limitsOf(plan),
    }))
    expect([status, json]).toEqual([200, listed])
    expectRefusal(await people.anyone.send('GET', '/plans'), 401, 'not_signed_in')
  })
})

describe('petstore plans', () => {
  const main = join(import.meta.dirname, '../../src/main.ts')
  const petstore = (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const env = { ...childEnv, DATABASE_URL: people.test.database.appUrl }
      execFile(process.execPath, [main, 'plans', ...args], { env }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      )
    })

  test('set puts a project on a plan, and show prints it, as text and as JSON', async () => {
    const owner = await people.owner()
    const set = await petstore('set', '--project', owner.slug, '--plan', 'pro')
    expect([set.code, set.out]).toEqual([0, `${owner.slug} has moved from the plan free to pro.\n`])
    const again = await petstore('set', '--project', owner.slug, '--plan', 'pro', '--json')
    expect(JSON.parse(again.out)).toEqual({
      slug: owner.slug,
      plan: 'pro',
      before: 'pro',
      limits: defaultRules.limitsOf('pro'),
    })
    const shown = await petstore('show', '--project', owner.slug, '--json')
    expect(JSON.parse(shown.out)).toEqual({
      slug: owner.slug,
      plan: 'pro',
      limits: defaultRules.limitsOf('pro'),
      usage: { members: 1, keys: 0, photoBytes: 0 },
    })
    expect((await auditEvents(owner))[0]).toMatchObject({ actor: 'operator', action: 'plan_set' })
  })

  test('show without a project prints what each plan includes', async () => {
    const { out } = await petstore('show', '--json')
    const all = {
      free: defaultRules.limitsOf('free'),
      pro: defaultRules.limitsOf('pro'),
      enterprise: defaultRules.limitsOf('enterprise'),
    }
    expect(JSON.parse(out)).toEqual({ plans: all })
    expect((await petstore('show')).out.split('\n')[0]).toMatch(/^free +animals 100000 +members 10 +keys 10 /)
  })

  test.each([
    ['an unknown plan', ['set', '--project', 'happy-paws', '--plan', 'gold'], '--plan takes free, pro, enterprise.'],
    ['an unknown project', ['set', '--project', 'nowhere', '--plan', 'pro'], 'There is no project nowhere.'],
    ['an unknown project to show', ['show', '--project', 'nowhere'], 'There is no project nowhere.'],
  ])('%s is reported in a sentence, with exit code 1', async (_, args, sentence) => {
    const { code, out, err } = await petstore(...args)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(sentence)
  })
})
