import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageFormat, openRelay } from '../server/src/foundation/smtp/relay.io.ts'
import { readRelay } from '../server/src/foundation/smtp/settings.ts'
import { startInbox, type Inbox } from './inbox.ts'

let inbox: Inbox
const hostile = '<script>alert(1)</script>'

beforeAll(async () => {
  inbox = await startInbox(0)
  const settings = readRelay(inbox.smtpUrl)
  if (!settings) throw new Error('no address of a relay')
  const relay = openRelay({ ...settings, roots: undefined })
  const bytes = await messageFormat(undefined)({
    id: 'mail_1@petstore.example',
    from: { name: 'Petstore', address: 'no-reply@petstore.example' },
    to: 'mia@shop.example',
    subject: `Hello ${hostile}`,
    text: `Hello ${hostile}`,
    html: `<p>Hello</p>${hostile}`,
    attachment: { name: 'visit.ics', type: 'text/calendar', content: 'BEGIN:VCALENDAR' },
    headers: {},
  })
  expect(await relay.send({ from: 'no-reply@petstore.example', to: 'mia@shop.example' }, bytes)).toEqual({
    kind: 'accepted',
  })
  relay.close()
})

afterAll(() => inbox.stop())

const at = (path: string, init?: RequestInit) => fetch(new URL(path, inbox.url), { redirect: 'manual', ...init })

test('lists mails for people and for programs', async () => {
  expect((await at('/')).headers.get('location')).toBe('/inbox')
  const page = await (await at('/inbox')).text()
  expect(page).toContain('<a href="/inbox/1">Hello &lt;script&gt;alert(1)&lt;/script&gt;</a>')
  expect(await (await at('/inbox.json')).json()).toMatchObject([
    {
      id: 1,
      to: ['mia@shop.example'],
      subject: `Hello ${hostile}`,
      html: expect.stringContaining('<p>Hello</p>') as string,
    },
  ])
})

test('shows a mail as text, with its headers, and its HTML only in a sandbox', async () => {
  const page = await (await at('/inbox/1')).text()
  expect(page).toContain('Message-ID: &lt;mail_1@petstore.example&gt;')
  expect(page).toContain('sandbox="allow-popups allow-popups-to-escape-sandbox"')
  expect(page).not.toContain(hostile)
  const shown = await at('/inbox/1/html')
  expect(await shown.text()).toContain(hostile)
  expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox allow-popups [^;]*; default-src 'none'/)
})

test('hands out a mail as it arrived, with the file in it, for a mail program', async () => {
  expect(await (await at('/inbox/1')).text()).toMatch(/href="\/inbox\/1\/eml">[^<]+<\/a>, with visit\.ics/)
  const file = await at('/inbox/1/eml')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="1.eml"')
  const { attachments } = await PostalMime.parse(await file.arrayBuffer())
  // The parser ends the last line.
  const texts = attachments.map(({ content }) => new TextDecoder().decode(content as ArrayBuffer).trimEnd())
  expect(texts).toEqual(['BEGIN:VCALENDAR'])
})

test('has nothing else, and changes nothing', async () => {
  expect([(await at('/inbox/2')).status, (await at('/x')).status]).toEqual([404, 404])
  expect((await at('/inbox', { method: 'DELETE' })).status).toBe(405)
})
