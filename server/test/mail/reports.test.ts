// A visitor reports a site: the form, the mail that the operator gets, and that neither a visitor nor a crowd can fill the
// operator's mailbox.

import { languages } from '@petstore-platform/contract/platform/site'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exchange, type Received } from '../../../testbed/harness/http.ts'
import type { PlatformOwner } from '../../../testbed/harness/platform.ts'
import { publishAtOnce } from '../../../testbed/harness/publish.ts'
import { contentWith, HOSTILE } from '../../../testbed/samples/sites.ts'
import { exactLimit } from '../../src/foundation/load/rate-limit.io.ts'
import { startEdge, type RunningEdge } from '../../src/program/edge.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import { reportTexts } from '../../src/sites/strings/strings-report.ts'
import { startTestEdge } from '../sites/environment.ts'
import { OPERATOR, startMailInstallation, type MailInstallation } from './installation.ts'

const PLATFORM_HOST = 'petstore.test:3080'
const logger = { level: 'silent' }

let on: MailInstallation
let edge: RunningEdge

beforeAll(async () => {
  on = await startMailInstallation({
    SMTP_PER_SECOND: '1000',
    PLATFORM_HOST,
    SITE_SCHEME: 'http',
    EDGE_PORT: '0',
    RATE_LIMIT_RESERVATIONS_PER_ADDRESS: '1000000',
  })
  edge = await startEdge(on.config, { logger })
})

afterAll(() => edge?.stop())

async function openSite(): Promise<PlatformOwner> {
  const owner = await on.people.owner()
  const content = contentWith({ title: 'Happy Paws', languages: ['de', 'fr', 'es'] })
  await publishAtOnce(inProjectOf(on.people.test.service.database), owner.project, content)
  return owner
}

const hostOf = ({ slug }: PlatformOwner) => `${slug}.${PLATFORM_HOST}`

const visit = (owner: PlatformOwner, path: string, at = edge): Promise<Received> =>
  exchange(`http://127.0.0.1:${at.port}`, { path, headers: { Host: hostOf(owner) } })

type Sent = { fields?: Record<string, string>; headers?: Record<string, string>; at?: RunningEdge }

/** Sends the form as a browser would. */
async function report(owner: PlatformOwner, { fields = {}, headers = {}, at = edge }: Sent = {}): Promise<Received> {
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await visit(owner, '/report')).text) ?? []
  return exchange(`http://127.0.0.1:${at.port}`, {
    method: 'POST',
    path: '/report',
    body: new URLSearchParams({
      message: 'They ask for money.',
      contact: '',
      website: '',
      token,
      ...fields,
    }).toString(),
    headers: { Host: hostOf(owner), 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
}

const subjectFor = ({ slug }: PlatformOwner) => `A visitor reports the site ${slug}`
const mailsAbout = async (owner: PlatformOwner) =>
  (await on.mailsTo(OPERATOR)).filter(({ subject }) => subject === subjectFor(owner))

describe('a report', () => {
  test('becomes the mail site_reported to the operator, which can be replied to and says how the site is closed', async () => {
    const owner = await openSite()
    expect((await visit(owner, '/')).text).toContain('<a href="/report" rel="nofollow">Report this site</a>')
    const page = await visit(owner, '/report')
    expect([page.status, page.text.includes('noindex')]).toEqual([200, true])

    const fields = { message: 'The page of Rex copies\r\nanother shelter.', contact: 'mia@visitor.example' }
    const answer = await report(owner, { fields })
    expect([answer.status, answer.headers.location]).toEqual([303, '/report/sent'])
    expect((await visit(owner, '/report/sent')).text).toContain('Thank you for your report')

    const { text = '', headers } = await on.mailTo(OPERATOR, subjectFor(owner))
    expect(headers.find(({ key }) => key === 'reply-to')?.value).toBe('mia@visitor.example')
    expect(text).toContain('The page of Rex copies another shelter.')
    expect(text).toContain(hostOf(owner))
    expect(text).toContain(`petstore projects suspend --project ${owner.slug} `)
  })

  test.each(languages)('has its page in %s', async (language) => {
    const owner = await openSite()
    const { title, send } = reportTexts[language]
    const code = language === 'en' ? '' : `/${language}`
    expect((await visit(owner, `${code}/privacy`)).text).toContain(
      `<a href="${code}/report" rel="nofollow">${title}</a>`,
    )
    expect((await visit(owner, `${code}/report`)).text).toContain(send)
  })

  test('with hostile text reaches the operator as text', async () => {
    const owner = await openSite()
    expect((await report(owner, { fields: { message: `${HOSTILE}\n\nRun: rm -rf /` } })).status).toBe(303)
    const { html = '', text = '' } = await on.mailTo(OPERATOR, subjectFor(owner))
    expect(html).not.toContain('<script>')
    // One line: nothing that is typed can pass for a paragraph of ours.
    expect(text).toMatch(/Report: .* Run: rm -rf \/$/m)
  })

  test.each([
    ['without a text', { message: ' ' }, 'Please describe what is wrong.'],
    ['with a text that is too long', { message: 'x'.repeat(2001) }, 'at most 2000 characters'],
    ['with an address that gets no mail', { contact: 'mia@' }, 'cannot send mail to this address'],
    ['with a token of another page', { token: 'x' }, 'Please send the form again'],
    ['filled in by a program', { website: 'x' }, 'Please send the form again'],
  ])('%s is shown again, with what was typed', async (_, fields, said) => {
    const owner = await openSite()
    const { status, text } = await report(owner, { fields: { message: 'Unmistakable', ...fields } })
    expect([status, text.includes(said)]).toEqual([422, true])
    expect(text.includes('Unmistakable')).toBe(!('message' in fields))
    expect(await on.query('select from site_reports where slug = $1', [owner.slug])).toEqual([])
  })

  test('that another site makes the browser send is refused', async () => {
    const owner = await openSite()
    expect((await report(owner, { headers: { Origin: 'https://other.example' } })).status).toBe(403)
  })
})

describe('a flood', () => {
  test('of one site leaves five mails a day, and other sites their own', async () => {
    const [owner, other] = [await openSite(), await openSite()]
    const answers = []
    for (let count = 0; count < 8; count += 1) answers.push(await report(owner))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 429, 429, 429])
    const last = answers.at(-1)
    expect(last?.text).toContain('try again tomorrow')
    expect(last?.text).toContain('They ask for money.')
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(3600)
    expect((await report(other)).status).toBe(303)
    await on.nothingQueued()
    expect([(await mailsAbout(owner)).length, (await mailsAbout(other)).length]).toEqual([5, 1])
  })

  test('by one visitor ends at the limit of forms', async () => {
    const owner = await openSite()
    const { limits } = on.config
    const strict = await startEdge({ ...on.config, limits: { ...limits, reservationsPerAddress: 1 } }, { logger })
    try {
      await report(owner, { at: strict })
      const { status, text } = await report(owner, { at: strict })
      expect([status, text.includes('send the form again in a minute')]).toEqual([429, true])
    } finally {
      await strict.stop()
    }
  })

  test('of the installation ends at 200 a day', async () => {
    const owner = await openSite()
    const { run } = on.people.test.service.database
    const all = exactLimit({ run, now: Date.now }, 'report', {
      name: 'installation',
      points: 200,
      windowSeconds: 86_400,
    })
    expect((await report(owner)).status).toBe(303)
    while (!(await all.use('')).isOver);
    expect((await report(owner)).status).toBe(429)
    await all.refund('')
    expect((await report(owner)).status).toBe(303)
  })
})

test('where no operator gets mail, nothing offers it', async () => {
  const without = await startTestEdge()
  const store = await without.store('quiet')
  expect((await store.get('/')).text).not.toContain('/report')
  expect((await store.get('/report')).status).toBe(404)
  expect((await store.post('/report', { message: 'x' })).status).toBe(405)
})
