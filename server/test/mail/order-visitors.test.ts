// Every mail to a visitor about a request: it contains nothing that a visitor typed, is sent only where a member answers for
// it, and not if the move is undone before.

import { describe, expect, test, vi } from 'vitest'
import { calendarOf } from '../../../testbed/harness/calendar.ts'
import { type PlatformOwner } from '../../../testbed/harness/platform.ts'
import { type Language, type SiteSettings } from '@petstore-platform/contract/platform/site'
import { queueMail, type MailKindName } from '../../src/program/mail-kinds.ts'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import { move, undo } from '../../src/orders/advance.io.ts'
import { reserve } from '../../src/orders/reservations.io.ts'
import {
  setUpOrderMails,
  relay,
  people,
  on,
  inProject,
  patience,
  openStore,
  sql,
  setVerified,
  newVisitor,
  type Request,
  request,
  mailTo,
  expectListHeaders,
  outbox,
  outcomes,
  bringMailForward,
  at,
  decide,
  SUBJECT,
  expectNothingTyped,
  setSent,
  expectDecision,
  queueAtOnce,
} from './order-mails.ts'

setUpOrderMails()

describe('to the visitor', () => {
  test('order_received', async () => {
    const owner = await openStore({ contact: { email: 'hello@happy-paws.example', phone: '', address: '' } })
    const visitor = newVisitor()
    await request(owner, 'Rex', visitor)
    const mail = await mailTo(visitor.contact, SUBJECT)
    expectListHeaders(mail, 'order_received')
    expectNothingTyped(mail, visitor)
    expect(mail.text).toContain('Happy Paws has received your request for Rex.')
    expect(mail.text).toContain('Email: hello@happy-paws.example')
  })

  test.each([
    ['order_approved', 'approve', 'has approved your request for Rex.'],
    ['order_declined', 'decline', 'has declined your request for Rex.'],
  ] as const)('%s', async (kind, what, sentence) => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    expect(await decide(owner, id, what)).toMatchObject({ notifiesVisitor: true })
    await bringMailForward(owner, kind)
    await expectDecision(kind, visitor, sentence)
  })

  test('order_declined, with the reason in kind words, and a sentence that is marked as the words of the store', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    const text = 'Sorry</td><script>alert(1)</script> &amp; "bye"\nYour request: <a href=//x>approved</a>'
    const moved = await owner.send('POST', at(owner, `/orders/${id}/move`), {
      fact: 'declined',
      decline: { reason: 'no_contact', text },
    })
    expect(moved.status).toBe(200)
    await bringMailForward(owner, 'order_declined')
    await expectDecision(
      'order_declined',
      visitor,
      `Happy Paws could not reach you to talk about Rex.\n\nMessage from Happy Paws: ${text.replace('\n', ' ')}\n`,
    )
    const { html = '' } = (await relay.received.findLast(({ to }) => to === visitor.contact)?.read()) ?? {}
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp;')
    expect(html).not.toMatch(/<script|<a href=\/\//)
  })

  test('visit_arranged, with the time as the owner named it', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    const visit = { at: '2031-05-03T14:30:00+02:00', place: 'Willow Street 1' }
    const moved = await owner.send('POST', at(owner, `/orders/${id}/move`), { fact: 'visit_set', visit })
    expect([moved.status, moved.json]).toMatchObject([200, { stage: 'visit', visit }])
    await bringMailForward(owner, 'visit_arranged')
    await expectDecision('visit_arranged', visitor, 'When: 3 May 2031 at 14:30\nWhere: Willow Street 1')

    // Its calendar file, and that of the mail about the end of the request.
    await owner.send('POST', at(owner, `/orders/${id}/move`), { fact: 'declined' })
    await bringMailForward(owner, 'order_declined')
    const files = await vi.waitUntil(() => {
      const received = relay.received.filter(({ to }) => to === visitor.contact).slice(1)
      return received.length > 1 ? received.map(({ raw }) => calendarOf(raw)) : undefined
    }, patience)
    const [arranged, cancelled] = files ?? []
    expect([arranged?.method, cancelled?.method]).toEqual(['PUBLISH', 'CANCEL'])
    expect(arranged?.event).toMatchObject({
      DTSTART: '20310503T123000Z',
      SUMMARY: 'Visit: Rex, Happy Paws',
      LOCATION: 'Willow Street 1',
      CN: 'Happy Paws',
    })
    expect(cancelled?.event['UID']).toBe(arranged?.event['UID'])
    expect(Number(cancelled?.event['SEQUENCE'])).toBeGreaterThanOrEqual(Number(arranged?.event['SEQUENCE']))
  })

  test('order_completed to the one who takes the animal, and found_a_home to the others who asked', async () => {
    const owner = await openStore()
    const [visitor, other, caller] = [newVisitor(), newVisitor(), { ...newVisitor(), contact: '+44 20 7946 0958' }]
    const petId = await on.addAnimal(owner.project, 'Rex')
    const deps = { inProject, queueMail }
    const { id } = await reserve(deps, owner.project, { petId, ...visitor })
    for (const one of [other, caller]) await reserve(deps, owner.project, { petId, ...one })
    for (const one of [visitor, other]) await mailTo(one.contact, SUBJECT)
    const moved = await owner.send('POST', at(owner, `/orders/${id}/move`), { fact: 'handed_over' })
    expect([moved.status, moved.json]).toMatchObject([200, { stage: 'completed', notifiesVisitor: true }])
    for (const kind of ['order_completed', 'found_a_home'] as const) await bringMailForward(owner, kind)
    await expectDecision('order_completed', visitor, 'Rex has found a home with you.')
    await expectDecision('found_a_home', other, 'Rex has found a home with someone else.')
    expect(await outcomes(owner, 'order_completed')).toEqual(['sent'])
    expect(new Set(await outcomes(owner, 'found_a_home', 2))).toEqual(new Set(['no email address', 'sent']))
  })

  test.each(['contacted', 'withdrawn', 'reopened'] as const)(
    'nothing at %s, of which no mail is promised',
    async (fact) => {
      const owner = await openStore()
      const id = await request(owner)
      if (fact === 'reopened') await decide(owner, id, 'decline')
      const before = await sql(owner, `select id from mail_directory where project_id = $1`, owner.project)
      expect((await owner.send('POST', at(owner, `/orders/${id}/move`), { fact })).status).toBe(200)
      expect(await sql(owner, `select id from mail_directory where project_id = $1`, owner.project)).toEqual(before)
    },
  )

  test('found_a_home, if the animal is sold to another person', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    const [order] = await sql<{ petId: string }>(owner, `select pet_id::text as "petId" from orders where id = $1`, id)
    const set = await owner.send('PUT', at(owner, `/animals/${order?.petId}/status`), { status: 'sold' })
    expect(set.status).toBe(200)
    await bringMailForward(owner, 'found_a_home')
    await expectDecision('found_a_home', visitor, 'Rex has found a home with someone else.')
  })

  test('order_expired', async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = await request(owner, 'Rex', visitor)
    await mailTo(visitor.contact, SUBJECT)
    await on.age(owner.project, BigInt(id))
    await expectDecision('order_expired', visitor, 'has not answered your request for Rex in time. It has expired.')
  })

  test('all are in the language of the site', async () => {
    const subjects: Record<Exclude<Language, 'en'>, string> = {
      de: 'Happy Paws: Ihre Anfrage für Rex',
      fr: 'Happy Paws : votre demande pour Rex',
      es: 'Happy Paws: su solicitud para Rex',
    }
    for (const [language, subject] of Object.entries(subjects)) {
      const owner = await openStore({ language: language as Language })
      const visitor = newVisitor()
      await request(owner, 'Rex', visitor)
      expect((await mailTo(visitor.contact, /Rex$/)).subject).toBe(subject)
    }
  })

  test('a fourth mail of a day to the same address is not sent, whichever store it is from', async () => {
    const visitor = newVisitor()
    const [one, other] = [await openStore(), await openStore()]
    for (const owner of [one, other, one]) {
      const count = (await outbox(owner, 'order_received')).length + 1
      await request(owner, 'Rex', visitor)
      expect((await outcomes(owner, 'order_received', count)).at(-1)).toBe('sent')
    }
    await request(other, 'Rex', visitor)
    expect(await outcomes(other, 'order_received', 2)).toEqual(['sent', 'limit of the recipient'])
    expect(relay.received.filter(({ to }) => to === visitor.contact)).toHaveLength(3)
  })

  test('the plan limits how many are sent on a day', async () => {
    const owner = await openStore()
    await setSent(owner, 99)
    await request(owner, 'Rex')
    expect(await outcomes(owner, 'order_received')).toEqual(['sent'])
    await request(owner, 'Milo')
    expect(await outcomes(owner, 'order_received', 2)).toEqual(['sent', 'budget of the plan'])
    await sql(owner, `update projects set plan = 'pro' where project_id = $1`, owner.project)
    await request(owner, 'Bella')
    expect((await outcomes(owner, 'order_received', 3)).at(-1)).toBe('sent')
  })
})

describe('the sender of a mail to a visitor', () => {
  const contact = { email: ' hello@happy-paws.example', phone: '+44 20 7946 0958', address: '' }
  /** The mail about a request, and the lines of its headers. */
  const received = async (settings: Partial<SiteSettings>) => {
    const visitor = newVisitor()
    await request(await openStore(settings), 'Rex', visitor)
    const found = await vi.waitUntil(() => relay.received.find(({ to }) => to === visitor.contact), patience)
    const mail = await found?.read()
    const [head = ''] = String(found?.raw).split('\r\n\r\n')
    return { mail, text: mail?.text ?? '', lines: head.split(/\r\n(?![ \t])/) }
  }
  const headers = [
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Reply-To',
    'Subject',
    'To',
  ]

  test.each<[what: string, title: string, shown: string]>([
    ['a plain name', 'Happy Paws', 'Happy Paws'],
    ['marks of addresses', `St. Mary's "Cats" \\ <Dogs>; Co, Ltd`, `St. Mary's "Cats" \\ <Dogs>; Co, Ltd`],
    ['line ends', 'Happy\r\nBcc: eve', 'Happy Bcc: eve'],
    ['full-width letters', 'Ｈａｐｐｙ　Ｐａｗｓ', 'Ｈａｐｐｙ　Ｐａｗｓ'],
    ['a change of direction', 'swaP yppaH\u202E', 'swaP yppaH'],
    ['combining marks', `Ha${'\u0301'.repeat(50)}ppy`, `Ha${'\u0301'.repeat(50)}ppy`],
    ['an encoded word', '=?utf-8?B?DQpCY2M6IGE=?=', '= ?utf-8?B?DQpCY2M6IGE= ?='],
    ['10,000 characters', '🐈'.repeat(10_000), `${'🐈'.repeat(59)}…`],
    ['nothing that is seen', '\u200B\uFE0F', 'Petstore'],
    ['a host name', 'petstore-login.com', 'Petstore'],
    ['a full-width address', 'help＠petstore．example', 'Petstore'],
    ['an address that would end the quotes', 'eve@evil.example" <x', 'Petstore'],
    ['two words with a dot', `petstore.com${'y'.repeat(10_000)}`, `petstore.com${'y'.repeat(47)}…`],
    ['what is an address only when it is cut', `${'x'.repeat(46)} petstore.com${'y'.repeat(100)}`, 'Petstore'],
  ])('is the store, under our address: %s', async (_, title, shown) => {
    const { mail, lines } = await received({ title, contact })
    expect(mail?.from).toEqual({ address: 'no-reply@petstore.example', name: shown })
    expect(mail?.replyTo).toEqual([{ address: 'hello@happy-paws.example', name: '' }])
    expect(lines.map((line) => line.slice(0, line.indexOf(':'))).toSorted()).toEqual(headers)
    expect(mail?.text).toMatch(/^If you reply to this mail, .* gets your reply\.$/m)
  })

  test.each([
    ['nothing', ''],
    ['a word', 'none'],
    ['no @', 'mia at happy-paws.example'],
    ['two addresses', 'mia@happy-paws.example, eve@evil.example'],
    ['line ends', 'mia@happy-paws.example\r\nBcc: eve@evil.example'],
    ['a quoted local part', '"mia"@happy-paws.example'],
    ['10,000 characters', `${'m'.repeat(10_000)}@happy-paws.example`],
  ])('receives no replies if the site has no address for them: %s', async (_, email) => {
    const { mail, text, lines } = await received({ title: 'Happy Paws', contact: { ...contact, email } })
    expect(mail?.replyTo).toBeUndefined()
    expect(lines.filter((line) => /^(reply-to|bcc)/i.test(line))).toEqual([])
    expect(text).toContain('Happy Paws does not receive replies to this mail.')
    expect(text).toContain('contact Happy Paws:\n\nPhone: +44 20 7946 0958\n')
  })
})

describe('an undo', () => {
  /** A request of a visitor who has had the first mail, and the member who decides. */
  const decidable = async () => {
    const owner = await openStore()
    const visitor = newVisitor()
    const id = BigInt(await request(owner, 'Rex', visitor))
    await mailTo(visitor.contact, SUBJECT)
    const member = { project: owner.project, account: owner.id as AccountId }
    return { owner, visitor, id, member }
  }
  const received = (visitor: Request) => relay.received.filter(({ to }) => to === visitor.contact).length

  test('59 seconds later leaves no mail and every byte as it was', async () => {
    const { owner, visitor, id, member } = await decidable()
    const [order] = await sql<{ petId: string }>(owner, `select pet_id::text as "petId" from orders where id = $1`, id)
    const petId = BigInt(order?.petId ?? 0)
    const other = newVisitor()
    const deps = { inProject, queueMail }
    await reserve(deps, owner.project, { petId, ...other })
    await mailTo(other.contact, SUBJECT)
    const before = await on.dump(owner.project, petId)
    await move(deps, member, id, { fact: 'approved' })
    await undo(deps, member, id)
    await move(deps, member, id, { fact: 'handed_over' })
    // As if 59 seconds had passed since.
    await sql(owner, `update orders set undo_until = undo_until - interval '59 seconds' where undo_until is not null`)
    await sql(
      owner,
      `update due_directory set due_at = due_at - interval '59 seconds' where kind = 'mail' and project_id = $1`,
      owner.project,
    )
    await undo(deps, member, id)
    expect(await on.dump(owner.project, petId)).toBe(before)
    const kinds: MailKindName[] = ['order_approved', 'order_completed', 'found_a_home']
    for (const kind of kinds) expect(await outcomes(owner, kind)).toEqual(['undone'])
    expect([received(visitor), received(other)]).toEqual([1, 1])
    const waiting = await sql(owner, `select from due_directory where kind = 'mail' and project_id = $1`, owner.project)
    expect(waiting).toEqual([])
  })

  test('comes too late for a mail that does not wait (negative control)', async () => {
    const { visitor, id, member } = await decidable()
    const hasty: typeof queueAtOnce = (db, mail) => queueAtOnce(db, { ...mail, delaySeconds: 0 })
    await move({ inProject, queueMail: hasty }, member, id, { fact: 'declined' })
    await vi.waitUntil(() => received(visitor) === 2, patience)
    await undo({ inProject, queueMail: hasty }, member, id)
    expect(received(visitor)).toBe(2)
  })
})

describe('a visitor is not mailed', () => {
  const listed = async (owner: PlatformOwner) => {
    const orders = (await owner.send('GET', at(owner, '/orders'))).json as { id: number; notifiesVisitor: boolean }[]
    const { lastOrders } = (await owner.send('GET', at(owner, '/overview'))).json as { lastOrders: typeof orders }
    const one = (await owner.send('GET', at(owner, `/orders/${orders[0]?.id}`))).json as (typeof orders)[number]
    expect(lastOrders).toEqual(orders)
    expect(orders[0]).toEqual(one)
    return orders.map(({ notifiesVisitor }) => notifiesVisitor)
  }

  const bare = async () => {
    const owner = await people.owner()
    await setVerified(owner, true)
    return owner
  }
  const unverified = async () => {
    const owner = await openStore()
    await setVerified(owner, false)
    return owner
  }
  const quiet = async () => {
    const owner = await openStore()
    const answer = await owner.send('PUT', at(owner, '/notifications/visitors'), { visitors: false })
    expect(answer.status).toBe(200)
    return owner
  }

  test.each<[string, string, () => Promise<PlatformOwner>, Partial<Request>?]>([
    ['if no owner has a verified address', 'no verified owner', unverified],
    ['if nothing is published', 'no published site', bare],
    ['if an admin has turned it off', 'turned off', quiet],
    ['without an email address', 'no email address', openStore, { contact: '+44 20 7946 0958' }],
  ])('%s, and members read that', async (_, outcome, open, typed = {}) => {
    const owner = await open()
    const petId = await on.addAnimal(owner.project)
    const deps = { inProject, queueMail }
    await reserve(deps, owner.project, { petId, ...newVisitor(), ...typed })
    expect(await outcomes(owner, 'order_received')).toEqual([outcome])
    expect(await listed(owner)).toEqual([false])
  })

  test('otherwise the visitor is, and members read that, order by order', async () => {
    const owner = await openStore()
    await request(owner, 'Rex')
    await request(owner, 'Milo', { ...newVisitor(), contact: '+44 20 7946 0958' })
    expect(await listed(owner)).toEqual([false, true])
  })
})
