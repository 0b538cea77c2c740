// The address of an account changes only by a link that its new mailbox received, and the old one
// can undo it. A deleted account leaves its id behind, and nothing else.

import { beforeAll, describe, expect, test, vi } from 'vitest'
import { asOwner } from '../../../testbed/harness/database.ts'
import { PASSWORD, type PersonClient } from '../../../testbed/harness/platform.ts'
import { accountCommands } from '../../src/commands/accounts.ts'
import { recordAudit } from '../../src/projects/project-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { bytesOf, type People } from '../platform/people.ts'
import { expectRefusal } from '../v1/responses.ts'
import { startMailInstallation, type MailInstallation } from './installation.ts'
import { removeExpired } from '../../../testbed/harness/retention.ts'

let on: MailInstallation
let people: People

beforeAll(async () => {
  on = await startMailInstallation()
  ;({ people } = on)
})

const owner = <T extends object>(text: string, values: unknown[] = []) => on.query<T>(text, values)
const secretFor = (email: string, page: string) => on.secretFor(email, page)
const nothingQueued = () => on.nothingQueued()
const newAddress = () => on.newAddress()
const signIn = (email: string, password = PASSWORD) => people.anyone.send('POST', '/session', { email, password })
const change = (person: PersonClient, email: string) => person.send('POST', '/account/email', { email })
const confirm = (secret: string) => people.anyone.send('POST', '/recovery/email/confirmation', { secret })
const undo = (secret: string) => people.anyone.send('POST', '/recovery/email/undo', { secret })
const accountOf = async (person: PersonClient) =>
  (await person.send('GET', '/account')).json as { email: string; isVerified: boolean }

describe('another address', () => {
  test('is that of the account once its mailbox has confirmed it, and is verified', async () => {
    const mia = await people.signUp()
    const next = newAddress()
    expect((await change(mia, next)).status).toBe(202)
    expect(await accountOf(mia)).toMatchObject({ email: mia.email, isVerified: false })
    const secret = await secretFor(next, '/confirm-email')
    expect((await confirm(secret)).status).toBe(204)
    expect(await accountOf(mia)).toMatchObject({ email: next, isVerified: true })
    expect((await signIn(next)).status).toBe(200)
    expect((await signIn(mia.email)).status).toBe(401)
    expect((await confirm(secret)).status).toBe(404)
  })

  test('that is the current one is only verified, and no notice is sent', async () => {
    const mia = await people.signUp()
    await change(mia, mia.email)
    expect((await confirm(await secretFor(mia.email, '/confirm-email'))).status).toBe(204)
    expect(await accountOf(mia)).toMatchObject({ email: mia.email, isVerified: true })
    await nothingQueued()
    expect((await on.mailsTo(mia.email)).map(({ subject }) => subject)).toEqual(['Confirm your email address'])
  })

  test('of another account gets the same response and no mail', async () => {
    const [mia, tom] = [await people.signUp(), await people.signUp()]
    const [taken, free] = [await change(mia, tom.email), await change(mia, newAddress())]
    expect(bytesOf(taken)).toBe(bytesOf(free))
    await nothingQueued()
    expect(await on.mailsTo(tom.email)).toEqual([])
  })

  test('that another account took in the meantime is refused, and the link stays usable', async () => {
    const [mia, tom] = [await people.signUp(), await people.signUp()]
    const next = newAddress()
    await change(mia, next)
    await secretFor(next, '/confirm-email')
    await change(tom, next)
    const secrets = await vi.waitUntil(
      async () => {
        const found = await on.secretsIn(next, '/confirm-email')
        return found.length === 2 ? found : undefined
      },
      { timeout: 30_000, interval: 20 },
    )
    const answers = await Promise.all(secrets.map(confirm))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 409]))
  })

  test('is requested again: only the newest request can be confirmed, and none after a new password', async () => {
    const mia = await people.signUp()
    const [first, second] = [newAddress(), newAddress()]
    await change(mia, first)
    const early = await secretFor(first, '/confirm-email')
    await change(mia, second)
    expect((await confirm(early)).status).toBe(404)
    const late = await secretFor(second, '/confirm-email')
    await mia.send('PUT', '/account/password', { current: PASSWORD, next: 'a much longer sentence' })
    expect((await confirm(late)).status).toBe(404)
  })

  test('is undone by the old one, which ends everything with which the account can be used', async () => {
    const mia = await people.signUp()
    const next = newAddress()
    await change(mia, next)
    await confirm(await secretFor(next, '/confirm-email'))
    const secret = await secretFor(mia.email, '/undo-email')
    // Neither a new password nor a second change of the thief ends it.
    const changed = await mia.send('PUT', '/account/password', { current: PASSWORD, next: 'a much longer sentence' })
    expect(changed.status).toBe(204)
    expect((await undo(secret)).status).toBe(204)
    expect((await undo(secret)).status).toBe(404)
    for (const [email, password] of [
      [next, 'a much longer sentence'],
      [mia.email, 'a much longer sentence'],
      [mia.email, PASSWORD],
    ] as const) {
      expect((await signIn(email, password)).status).toBe(401)
    }
    expect(await owner('select id from sessions where account_id = $1', [mia.id])).toEqual([])
    const link = await secretFor(mia.email, '/recovery')
    const recovered = await people.anyone.send('POST', '/recovery/password', {
      secret: link,
      password: 'the third one',
    })
    expect(recovered.status).toBe(204)
    expect((await signIn(mia.email, 'the third one')).status).toBe(200)
  })

  test('is forgotten when it can no longer be confirmed or undone', async () => {
    const mia = await people.signUp()
    const [first, second] = [newAddress(), newAddress()]
    await change(mia, first)
    await confirm(await secretFor(first, '/confirm-email'))
    await change(mia, second)
    const left = () => owner('select id from email_changes where account_id = $1', [mia.id])
    expect(await left()).toHaveLength(2)
    await owner(
      `update email_changes set requested_at = requested_at - interval '25 hours',
         confirmed_at = confirmed_at - interval '8 days'
       where account_id = $1`,
      [mia.id],
    )
    await removeExpired(people.test.service.database, 'email_changes')
    expect(await left()).toEqual([])
  })
})

describe('a deleted account', () => {
  /** The tables in which a text is found, and whether a log line has it. */
  async function found(text: string): Promise<string[]> {
    const hits: string[] = []
    await asOwner(people.test.database, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
      )
      await client.query('begin')
      for (const { name } of tables) {
        // Until the rollback, the owner sees the rows of all projects.
        await client.query(`alter table ${name} no force row level security`)
        const search = `select 1 from ${name} t where strpos(lower(t::text), lower($1)) > 0 limit 1`
        if ((await client.query(search, [text])).rows.length > 0) hits.push(name)
      }
      await client.query('rollback')
    })
    if (people.test.logs.some((line) => line.toLowerCase().includes(text.toLowerCase()))) hits.push('log')
    return hits
  }
  const gone = async () => {
    await nothingQueued()
    await removeExpired(people.test.service.database, 'former_addresses')
  }

  test('leaves neither name nor address in any table or log, and its id in the events', async () => {
    const mia = await people.owner()
    const eve = await people.joins(mia, 'admin', 'Eve Unmistakable')
    await eve.send('POST', '/account/tokens', { label: 'Laptop' })
    await eve.send('POST', '/account/recovery-codes')
    await eve.send('POST', `/projects/${mia.slug}/keys`, { label: 'Till', scopes: ['pets:read'] })
    await change(eve, newAddress())
    const elsewhere = await people.owner()
    const invited = { email: eve.email.toUpperCase(), role: 'viewer' }
    expect((await elsewhere.send('POST', `/projects/${elsewhere.slug}/invitations`, invited)).status).toBe(201)
    await people.anyone.send('POST', '/recovery', { email: eve.email })
    expect((await eve.send('DELETE', '/account')).status).toBe(204)
    await vi.waitUntil(async () => (await eve.send('GET', '/account')).status === 401, { timeout: 30_000 })
    expect((await signIn(eve.email)).status).toBe(401)
    await gone()
    expect((await on.mailsTo(eve.email)).map(({ subject }) => subject)).toContain('Your account was deleted')
    expect(await found(eve.email)).toEqual([])
    expect(await found('Unmistakable')).toEqual([])
    const events = await owner(
      `select device, address_group from account_audit where account_id = $1 and (device, address_group) is not null`,
      [eve.id],
    )
    expect(events).toEqual([])
    const members = (await mia.send('GET', `/projects/${mia.slug}/members`)).json as { id: string }[]
    expect(members.map(({ id }) => id)).toEqual([mia.id])
    expect(await found(eve.id)).toContain('account_audit')
  })

  test('is deleted while its notices are being sent', async () => {
    const persons = await Promise.all(Array.from({ length: 20 }, () => people.signUp()))
    const deleted = persons.map(async (person, n) => {
      for (let made = 0; made < 3; made++) await person.send('POST', '/account/tokens', { label: 'Laptop' })
      // The mails are composed at any moment before, during and after the deletion.
      await new Promise((resolve) => setTimeout(resolve, n * 5))
      return person.send('DELETE', '/account')
    })
    expect(new Set((await Promise.all(deleted)).map(({ status }) => status))).toEqual(new Set([204]))
  })

  test('whose name was copied into an event would be noticed (negative control)', async () => {
    const mia = await people.owner()
    const eve = await people.joins(mia, 'viewer', 'Zoe Unforgettable')
    await eve.send('DELETE', '/account')
    await gone()
    await inProjectOf(people.test.service.database)(mia.project, (db) =>
      recordAudit(db, mia.project, {
        actor: mia.id,
        action: 'member_removed',
        subject: eve.id,
        detail: { name: 'Zoe Unforgettable' },
      }),
    )
    expect(await found('Unforgettable')).toEqual(['audit'])
  })

  test('is not the only owner of a project: the projects are named', async () => {
    const mia = await people.owner()
    const { blockedBy } = (await mia.send('GET', '/account/deletion')).json as { blockedBy: { slug: string }[] }
    expect(blockedBy).toMatchObject([{ slug: mia.slug }])
    expectRefusal(await mia.send('DELETE', '/account'), 409, 'sole_owner', new RegExp(`only owner of ${mia.slug}`))
    expect((await mia.send('GET', '/account')).status).toBe(200)
    await people.joins(mia, 'owner')
    expect((await mia.send('GET', '/account/deletion')).json).toEqual({ blockedBy: [] })
    expect((await mia.send('DELETE', '/account')).status).toBe(204)
  })

  test('may have owned a deleted project alone', async () => {
    const mia = await people.owner()
    expect((await mia.send('DELETE', `/projects/${mia.slug}`, { slug: mia.slug })).status).toBe(204)
    expect((await mia.send('DELETE', '/account')).status).toBe(204)
    expect(await owner('select id from accounts where id = $1', [mia.id])).toEqual([])
  })
})

describe("the operator's command", () => {
  /** What it prints for a program. */
  async function command(name: string, email: string): Promise<Record<string, unknown>> {
    const printed: string[] = []
    const print = (text: string) => void printed.push(text)
    const context = () => ({ config: on.config, print, invalid: (why: string) => new Error(why) })
    await accountCommands(context).parseAsync([name, '--email', email, '--json'], { from: 'user' })
    return JSON.parse(printed.join('\n')) as Record<string, unknown>
  }

  test('recovery-link brings back a person whose mail does not arrive', async () => {
    const mia = await people.signUp()
    const { link } = await command('recovery-link', mia.email.toUpperCase())
    const [, secret] = String(link).split('#')
    const answer = await people.anyone.send('POST', '/recovery/password', { secret, password: 'the third one' })
    expect(answer.status).toBe(204)
    expect((await signIn(mia.email, 'the third one')).status).toBe(200)
  })

  test('verify and show tell the state of an account', async () => {
    const mia = await people.signUp()
    expect(await command('show', mia.email)).toMatchObject({ id: mia.id, isVerified: false, sessions: 1 })
    await command('verify', mia.email)
    const shown = await command('show', mia.email)
    expect(shown).toMatchObject({ isVerified: true, recoveryCodes: 0 })
    expect(shown['events']).toMatchObject([
      { action: 'email_verified_by_operator', actor: 'operator' },
      { action: 'signed_up', actor: 'person' },
    ])
  })

  test('close deletes an account under the same rule, and names a missing one', async () => {
    const [mia, tom] = [await people.owner(), await people.signUp()]
    await expect(command('close', mia.email)).rejects.toThrow(`only owner of ${mia.slug}`)
    await command('close', tom.email)
    await expect(command('close', tom.email)).rejects.toThrow(`There is no account with the address ${tom.email}.`)
  })
})
