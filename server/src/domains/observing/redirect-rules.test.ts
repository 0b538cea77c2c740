import { expect, test } from 'vitest'
import { isRedirect, onwardFrom } from './redirect-rules.ts'

const from = 'http://shop.example.com/.well-known/x'
const step = (location: string, changes: { status?: number; visited?: string[]; port?: number } = {}) =>
  onwardFrom({ from, status: 301, location, visited: [from], port: 80, ...changes })

test.each([
  ['https://shop.example.com/.well-known/x', 'https://shop.example.com/.well-known/x'],
  ['/elsewhere?a=b#c', 'http://shop.example.com/elsewhere?a=b'],
  ['//SHOP.example.com/', 'http://shop.example.com/'],
  ['http://shop.example.com:443/', 'http://shop.example.com:443/'],
])('a redirect to %s stays on the same name and is followed', (location, url) =>
  expect(step(location)).toEqual({ kind: 'follow', url }),
)

test.each([
  ['https://www.example.com/', 301, null],
  ['http://shop.example.com:8080/', 301, 'port'],
  ['ftp://shop.example.com/', 301, 'scheme'],
  ['http://192.0.2.1/', 301, 'address'],
  ['http://0x7f000001/', 301, 'address'],
  ['http://[::1]/', 301, 'address'],
  [`/${'a'.repeat(2000)}`, 301, 'length'],
  [from, 301, 'loop'],
  ['/other', 303, 'status'],
  ['/other', 300, 'status'],
  ['http://', 301, 'malformed'],
])('a redirect to %.40s with status %i is not followed because of %s', (location, status, refused) =>
  expect(step(location, { status })).toMatchObject({ kind: 'stop', refused }),
)

test('an eleventh redirect is not followed', () => {
  const visited = Array.from({ length: 10 }, (_, n) => `http://shop.example.com/${n}`)
  expect(step('/next', { visited })).toMatchObject({ kind: 'follow' })
  expect(step('/next', { visited: [...visited, from] })).toMatchObject({ kind: 'stop', refused: 'too_many' })
})

test('the HTTP port of a test environment is followed only if it is configured', () => {
  expect(step('http://shop.example.com:8080/', { port: 8080 })).toMatchObject({ kind: 'follow' })
})

test('status 304 is not a redirect', () =>
  expect([301, 302, 303, 304, 307, 308, 200].filter(isRedirect)).toHaveLength(5))
