import { expect, test } from 'vitest'
import { readUpdateKey, readUpdateServer, serviceNamesIn } from './settings.ts'

const SECRET = Buffer.alloc(32, 7).toString('base64')

test('an update server is an address with or without a port', () => {
  expect(readUpdateServer('192.0.2.53:5353')).toEqual({ address: '192.0.2.53', port: 5353 })
  expect(readUpdateServer('192.0.2.53')).toEqual({ address: '192.0.2.53', port: 53 })
  expect(readUpdateServer('[2001:db8::53]:53')).toEqual({ address: '2001:db8::53', port: 53 })
})

test.each(['', 'ns1.example.com', '192.0.2.53:70000', '2001:db8::53'])(
  'the update server "%s" is rejected (negative control)',
  (text) => {
    expect(readUpdateServer(text)).toBeUndefined()
  },
)

test('an update key has a name, an algorithm and a secret', () => {
  const key = readUpdateKey(`petstore.:hmac-sha256:${SECRET}`)
  expect([key?.name, key?.algorithm, key?.secret.reveal()]).toEqual(['petstore.', 'hmac-sha256', SECRET])
})

test.each([`petstore:hmac-md5:${SECRET}`, `petstore:${SECRET}`, 'petstore:hmac-sha256:short', ''])(
  'the update key "%s" is rejected (negative control)',
  (text) => {
    expect(readUpdateKey(text)).toBeUndefined()
  },
)

test('service names are public names that are reached by https, each once', () => {
  expect(serviceNamesIn(['https://api.shop.com/v1', 'https://app.shop.com'])).toEqual(['api.shop.com', 'app.shop.com'])
  expect(serviceNamesIn(['https://app.shop.com/v1', 'https://app.shop.com:8443'])).toEqual(['app.shop.com'])
  expect(serviceNamesIn(['https://app.shop.test'], ['test'])).toEqual(['app.shop.test'])
})

test.each(['http://app.shop.com', 'https://localhost', 'https://192.0.2.1', 'https://[::1]', 'https://app.shop.test'])(
  'no certificate is ordered for the name in %s (negative control)',
  (address) => {
    expect(serviceNamesIn([address])).toEqual([])
  },
)
