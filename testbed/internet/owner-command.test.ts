import type { Domain } from '@petstore-platform/contract/platform/domain-shapes'
import { expect, test } from 'vitest'
import {
  domainText,
  historyText,
  listText,
  parseOwnerCommand,
  removalText,
  usage,
  type OwnerCommand,
} from './owner-command.ts'
import { shellText } from './shell.ts'

test.each<[words: string, wish: OwnerCommand]>([
  ['', { kind: 'list' }],
  ['list', { kind: 'list' }],
  ['add shop.willow-street.test', { kind: 'add', hostname: 'shop.willow-street.test' }],
  ['redirect a.test b.test', { kind: 'redirect', from: 'a.test', to: 'b.test', status: 301 }],
  ['redirect a.test b.test 302', { kind: 'redirect', from: 'a.test', to: 'b.test', status: 302 }],
  ['redirect a.test none', { kind: 'redirect', from: 'a.test', to: null, status: 301 }],
  ['list a.test', { kind: 'mistake', say: usage }],
  ['add', { kind: 'mistake', say: usage }],
  ['add a.test b.test', { kind: 'mistake', say: usage }],
  ['redirect a.test', { kind: 'mistake', say: usage }],
  ['redirect a.test b.test soon', { kind: 'mistake', say: usage }],
  ['dance a.test', { kind: 'mistake', say: usage }],
])('%j is understood, or answered with what can be typed', (words, command) =>
  expect(parseOwnerCommand(words.split(' ').filter((word) => word !== ''))).toEqual(command),
)

const cause = { severity: 'blocks', actor: 'owner', until: null } as const
const domain = {
  hostname: 'shop.willow-street.test',
  status: 'action_required',
  isPrimary: true,
  redirect: null,
  rootCause: { code: 'dns.conflict_a', advice: 'Delete it.', ...cause },
  also: [{ code: 'http.not_us', advice: 'It is not us.', ...cause }],
  records: [
    {
      type: 'CNAME',
      name: 'shop',
      fullName: 'shop.willow-street.test',
      value: 'happy-paws.petstore.test',
      ttl: 3600,
      have: [{ line: 'A 127.0.80.10', todo: 'delete' }],
      state: 'conflicting',
      action: 'delete_others',
      required: true,
    },
  ],
  certificate: {
    authority: 'letsencrypt.org',
    serial: '5d80',
    validFrom: '2026-11-15T10:00:00Z',
    validUntil: '2027-02-13T10:00:00Z',
    renewsAt: '2027-01-14T10:00:00Z',
  },
  nextCheckAt: '2026-11-15T10:00:54Z',
} as unknown as Domain

test('a domain is shown with the required action first, every record, and its certificate', () => {
  expect(domainText(domain)).toBe(`shop.willow-street.test: action_required, primary
  dns.conflict_a: Delete it.
  also http.not_us: It is not us.
  record  CNAME  shop  happy-paws.petstore.test  TTL 3600: conflicting; current: A 127.0.80.10 (delete)
  certificate of letsencrypt.org, serial 5d80, valid until 2027-02-13, renewed about 2027-01-14
  next check 10:00:54`)
})

test('a removal shows how many edges have confirmed it, and never more', () => {
  const edge = (name: string, confirmedAt: string | null) => ({ edge: name, confirmedAt, isConnected: true })
  const [done, open] = [edge('edge-1', '2026-11-15T10:00:00Z'), edge('edge-2', null)]
  const at = { removedAt: '2026-11-15T10:00:00Z' }
  expect(removalText('a.test', { ...at, edges: [done] })).toBe('a.test has been removed on 1 of 1 servers.')
  expect(removalText('a.test', { ...at, edges: [done, open] })).toBe(
    'a.test has been removed on 1 of 2 servers. Not yet: edge-2.',
  )
})

test('lists and histories have one line per entry, the oldest first', () => {
  expect(listText([])).toBe('There are no domains yet.')
  const redirect = { to: 'b.test', status: 301, isActive: true } as const
  const rootCause = { code: 'dns.no_record', advice: 'Create it.', ...cause }
  expect(listText([{ ...domain, hostname: 'a.test', isPrimary: false, redirect, rootCause }])).toBe(
    'a.test  action_required  redirects to b.test (301)  dns.no_record',
  )
  const event = { id: 1, at: '2026-11-15T10:00:49Z', kind: 'domain.added', code: null, detail: {} } as const
  expect(historyText([{ ...event, id: 2, kind: 'domain.drift', code: 'drift.pointed_away' }, event])).toBe(
    '10:00:49  domain.added\n10:00:49  domain.drift  drift.pointed_away',
  )
})

test('paths with spaces and quotes are quoted as one word for the shell', () => {
  const around = {
    settings: '/a b/env',
    program: '/p/main.ts',
    resolver: { address: '127.0.53.53', port: 5353 },
  }
  const store = { plain: '127.0.80.1:80', secure: '127.0.80.1:443', root: "/it's/root.pem", issuerPin: 'x=' }
  const text = shellText({ ...around, store })
  expect(text).toContain(`WORLD_ROOT='/it'\\''s/root.pem'\n`)
  expect(text).toContain(`petstore() { node --env-file='/a b/env' '/p/main.ts' "$@"; }`)
  expect(text).toContain('lookup() { dig @127.0.53.53 -p 5353 "$@"; }')
  // Without a store there are no visitors.
  expect(shellText(around)).not.toMatch(/visit|browse|trace|WORLD/)
})
