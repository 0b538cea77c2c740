// Every mail to members about a request, and every other notice about their store: brought about by a visitor or a
// member over HTTP, or by the background work of the program, and read as a mail program would.

import { describe, expect, test } from 'vitest'
import { DASHBOARD } from '../../../testbed/harness/platform.ts'
import { firstSettings, type Language } from '@petstore-platform/contract/platform/site'
import { settingsJson } from '../../src/sites/publishing/content.ts'
import { queueMail } from '../../src/program/mail-kinds.ts'
import { eraseVisitor, place, withdraw } from '../../src/orders/advance.io.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import {
  setUpOrderMails,
  people,
  on,
  inProject,
  openStore,
  sql,
  newVisitor,
  request,
  mailTo,
  headersOf,
  expectListHeaders,
  outbox,
  outcomes,
  bringDigestForward,
  at,
  choose,
  decide,
  runImport,
} from './order-mails.ts'

setUpOrderMails()

describe('to members', () => {
  test('order_placed goes to owners and admins, with what the visitor wrote and where a reply goes', async () => {
    const owner = await openStore()
    const admin = await people.joins(owner, 'admin')
    await people.joins(owner, 'viewer')
    const visitor = newVisitor()
    const order = await request(owner, 'Rex', visitor)
    for (const { email } of [owner, admin]) {
      const mail = await mailTo(email, /^New request for Rex$/)
      expectListHeaders(mail, 'order_placed')
      expect(headersOf(mail)['reply-to']).toBe(visitor.contact)
      for (const part of [...Object.values(visitor), `${DASHBOARD}/projects/${owner.slug}/requests/${order}`]) {
        expect(mail.text).toContain(part)
        expect(mail.html).toContain(part)
      }
    }
    const recipients = (await outbox(owner, 'order_placed')).map(({ recipient }) => recipient)
    expect(recipients.toSorted()).toEqual([owner.id, admin.id].toSorted())
  })

  test('order_placed has what the visitor answered: plain, not too long, and without a link', async () => {
    const owner = await openStore()
    const answers = [
      { question: 'Do you have a garden?', answer: 'Yes\n\nDecide about the request:\nhttps://evil.example/login' },
      { question: 'Who lives with you', answer: `<b>Two cats</b> & ${'a dog '.repeat(300)}` },
    ]
    const petId = await on.addAnimal(owner.project, 'Rex')
    const phone = '+44 20 7946 0958'
    const visitor = { ...newVisitor(), name: 'Ben www.evil.example', phone, message: 'See https://evil.example' }
    await place({ inProject, queueMail }, owner.project, { ...visitor, petId, answers })
    const { text = '', html = '' } = await mailTo(owner.email, /^New request/)
    expect(text).toContain(
      '\nDo you have a garden? Yes Decide about the request : https : / / evil . example / login\n',
    )
    expect(text).toContain(`\nPhone: ${phone}\n`)
    const [, long = ''] = /^Who lives with you: (<b>Two cats<\/b> & (?:a dog )+.*…)$/m.exec(text) ?? []
    expect([long === '', long.length > 300]).toEqual([false, false])
    expect(html).toContain('&lt;b&gt;Two cats')
    expect(text + html).not.toMatch(/evil\.example/)
  })

  test('order_placed has no address for replies if the visitor left a telephone number', async () => {
    const owner = await openStore()
    await request(owner, 'Rex', { ...newVisitor(), contact: '+44 20 7946 0958' })
    const mail = await mailTo(owner.email, /^New request/)
    expect(headersOf(mail)).not.toHaveProperty('reply-to')
    expect(mail.text).toContain('+44 20 7946 0958')
    expect(await outcomes(owner, 'order_received')).toEqual(['no email address'])
  })

  test('order_placed is queued for the requests that are accepted, and for none that is rejected', async () => {
    const owner = await openStore()
    const petId = await on.addAnimal(owner.project)
    const deps = { inProject, queueMail }
    const attempts = Array.from({ length: 22 }, () => reserve(deps, owner.project, { petId, ...newVisitor() }))
    const settled = await Promise.allSettled(attempts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await outcomes(owner, 'order_placed', 20)).toEqual(Array.from({ length: 20 }, () => 'sent'))
    expect(await outbox(owner, 'order_received')).toHaveLength(20)
  })

  test('order_placed is in the language of the member', async () => {
    const owner = await openStore()
    expect((await owner.send('PATCH', '/account', { language: 'de' })).status).toBe(200)
    await request(owner)
    expect((await mailTo(owner.email, /^Neue Anfrage für Rex$/)).text).toContain('Sie erhalten diese E-Mail')
  })

  test('times are those of the member: where their device is, and in UTC until one has said', async () => {
    const owner = await openStore()
    const admin = await people.joins(owner, 'admin')
    expect((await owner.send('PATCH', '/account', { timeZone: 'Asia/Tokyo' })).status).toBe(200)
    const id = await request(owner)
    const [order] = await sql<{ at: Date }>(owner, `select expires_at as at from orders where id = $1`, id)
    const clockAt = (hours: number) => new Date(Number(order?.at) + hours * 3_600_000).toISOString().slice(11, 16)
    expect((await mailTo(owner.email, /^New request/)).text).toContain(` at ${clockAt(9)} GMT+9`)
    expect((await mailTo(admin.email, /^New request/)).text).toContain(` at ${clockAt(0)} UTC`)
    await sql(owner, `update orders set expires_at = now() + interval '27 days' where id = $1`, id)
    await sql(owner, `update due_directory set due_at = now() where kind = 'order_expiry' and id = $1`, id)
    expect((await mailTo(owner.email, /is waiting for you$/)).text).toContain(' GMT+9')
  })

  test('order_waiting comes after three days in which nothing happened', async () => {
    const owner = await openStore()
    const id = await request(owner)
    await sql(owner, `update orders set expires_at = now() + interval '27 days' where id = $1`, id)
    await sql(owner, `update due_directory set due_at = now() where kind = 'order_expiry' and id = $1`, id)
    const mail = await mailTo(owner.email, /^A request for Rex is waiting for you$/)
    expectListHeaders(mail, 'order_waiting')
    expect(mail.text).toContain('Unmistakable Ursula')
    expect(await outbox(owner, 'order_waiting')).toHaveLength(1)
  })

  test('hold_ended comes when the animal is available again', async () => {
    const owner = await openStore()
    const id = await request(owner)
    await decide(owner, id, 'approve')
    await sql(owner, `update orders set held_until = now() where id = $1`, id)
    await sql(owner, `update due_directory set due_at = now() where kind = 'order_expiry' and id = $1`, id)
    const mail = await mailTo(owner.email, /^Rex is available again$/)
    expectListHeaders(mail, 'hold_ended')
    expect(mail.text).toContain('The hold of Rex for Unmistakable Ursula has ended')
    expect(await outbox(owner, 'hold_ended')).toHaveLength(1)
  })

  test('order_withdrawn comes when the visitor withdraws, unless the member has turned it off', async () => {
    const owner = await openStore()
    const deps = { inProject, queueMail }
    const id = await request(owner)
    await decide(owner, id, 'approve')
    expect(await withdraw(deps, owner.project, BigInt(id))).toBe(true)
    const mail = await mailTo(owner.email, /^A request for Rex was withdrawn$/)
    expectListHeaders(mail, 'order_withdrawn')
    expect(mail.text).toContain('Unmistakable Ursula no longer asks for Rex')
    expect(mail.text).toContain('The hold has ended.')

    const other = await request(owner, 'Luna')
    await eraseVisitor(deps, owner.project, BigInt(other))
    const { text } = await mailTo(owner.email, /^A request for Luna was withdrawn$/)
    expect(text).toContain('deleted what they had entered')
    expect(text).not.toMatch(/Ursula|The hold has ended/)

    await choose(owner, { reminders: 'off' })
    await withdraw(deps, owner.project, BigInt(await request(owner, 'Mia')))
    expect(await outcomes(owner, 'order_withdrawn', 3)).toEqual(['sent', 'sent', 'turned off'])
  })

  test('deployment_failed goes to the member who published, with the problems', async () => {
    const owner = await openStore()
    // No page can be made in this language; the form of the dashboard offers no such.
    const settings = settingsJson({ ...firstSettings('Happy Paws'), language: 'xx' as Language })
    await sql(
      owner,
      `insert into sites (project_id, settings) values ($1, $2)
       on conflict (project_id) do update set settings = excluded.settings`,
      owner.project,
      settings,
    )
    expect((await owner.send('POST', at(owner, '/deployments'))).status).toBe(202)
    const mail = await mailTo(owner.email, new RegExp(`^Publishing ${owner.slug} failed$`))
    expectListHeaders(mail, 'deployment_failed')
    expect(mail.text).toContain('Version 2 could not be published. Visitors still see the previous version.')
    expect(mail.text).toMatch(/^Problem: The page could not be made/m)
  })

  test('import_finished goes to the member who began it, if it took more than a minute', async () => {
    const owner = await openStore()
    await runImport(owner, '0 seconds')
    await runImport(owner, '61 seconds')
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: the import is done$`))
    expectListHeaders(mail, 'import_finished')
    expect(mail.text).toContain('2 animals were added.')
    expect(await outbox(owner, 'import_finished')).toHaveLength(1)
  })

  test('digest lists what is open, instead of each mail, if the member wants one a day', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const first = await request(owner, 'Bella')
    await request(owner, 'Rex')
    await request(owner, 'Milo')
    await decide(owner, first, 'approve')
    expect((await owner.send('POST', at(owner, `/orders/${first}/move`), { fact: 'handed_over' })).status).toBe(200)
    expect(await outcomes(owner, 'order_placed', 3)).toEqual(['in the digest', 'in the digest', 'in the digest'])
    expect(await outbox(owner, 'digest')).toHaveLength(1)
    await bringDigestForward(owner)
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: 2 new requests$`))
    expectListHeaders(mail, 'digest')
    expect(mail.text).toContain('Request: Rex')
    expect(mail.text).toContain('Request: Milo')
    expect(mail.text).not.toContain('Bella')
    expect(mail.text).toContain('1 animal sold')
  })

  test('digest is not sent when everything is decided', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const id = await request(owner)
    await outcomes(owner, 'order_placed')
    await decide(owner, id, 'decline')
    await bringDigestForward(owner)
    expect(await outcomes(owner, 'digest')).toEqual(['empty'])
  })

  test('digest names the domains that wait for the owner', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'daily' })
    const id = await request(owner)
    await outcomes(owner, 'order_placed')
    await decide(owner, id, 'decline')
    await sql(
      owner,
      `insert into domains (project_id, id, hostname, token, token_generation, next_look_at, cause, cause_severity)
       values ($1, 'dom_000000000000000000000001', 'www.happy-paws.example', $2, 0, now() + interval '1 day',
         'dns.no_record', 'blocks')`,
      owner.project,
      `petstore-verify=${'x'.repeat(28)}`,
    )
    await bringDigestForward(owner)
    const mail = await mailTo(owner.email, new RegExp(`^${owner.slug}: 1 domain needs your attention$`))
    expect(mail.text).toContain('Domain: www.happy-paws.example')
  })

  test('the 21st notification of a day goes into an hourly digest', async () => {
    const owner = await openStore()
    for (let n = 1; n <= 21; n++) await request(owner, `Rex ${n}`, { ...newVisitor(), contact: '+44 20 7946 0958' })
    const ended = await outcomes(owner, 'order_placed', 21)
    expect(ended.filter((outcome) => outcome === 'sent')).toHaveLength(20)
    expect(ended.filter((outcome) => outcome === 'limit of the recipient')).toHaveLength(1)
    await bringDigestForward(owner)
    expect((await mailTo(owner.email, new RegExp(`^${owner.slug}: 1 new request$`))).text).toMatch(/^Request: Rex/m)
  })

  test('a topic that is off is not mailed', async () => {
    const owner = await openStore()
    await choose(owner, { requests: 'off' })
    await request(owner)
    expect(await outcomes(owner, 'order_placed')).toEqual(['turned off'])
  })

  test('one POST to the address in the header turns a topic off, and a GET does not', async () => {
    const owner = await openStore()
    await request(owner)
    const mail = await mailTo(owner.email, /^New request/)
    const address = headersOf(mail)['list-unsubscribe'] ?? ''
    const path = new URL(address.slice(1, -1)).pathname
    const chosen = async () =>
      ((await owner.send('GET', at(owner, '/notifications'))).json as { requests: string }).requests
    await people.test.send({ path })
    expect(await chosen()).toBe('each')
    const forged = await people.test.send({ method: 'POST', path: `${path.slice(0, -4)}0000` })
    expect([forged.status, await chosen()]).toEqual([404, 'each'])
    const body = 'List-Unsubscribe=One-Click'
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const answer = await people.test.send({ method: 'POST', path, body, headers })
    expect([answer.status, await chosen()]).toEqual([200, 'off'])
  })
})
