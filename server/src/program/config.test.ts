import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const DATABASE_URL = 'postgresql://petstore_app:hunter2@127.0.0.1/petstore'
const KEY = `${'A'.repeat(43)}=`

test('the database is the only setting without a default', () => {
  const config = parseConfig({ DATABASE_URL })
  expect(config).toMatchObject({
    environment: 'production',
    port: 3000,
    limits: { perKey: 600, perProject: 6000, perFailedAddress: 60, windowSeconds: 60 },
    deprecatedSince: 1764892800,
    sunsetRehearsal: false,
  })
  expect(Object.isFrozen(config)).toBe(true)
})

test('every mistake is reported at once', () => {
  const wrong = {
    ENVIRONMENT: 'dev',
    BASE_URL: 'https://api.petstore.example',
    STAGING_URL: 'ftp://x/v1',
    PORT: '70000',
    LOG_LEVEL: 'loud',
    RATE_LIMIT_PER_KEY: '0',
    RATE_LIMIT_PER_PROJECT: '1e3',
    TRUSTED_PROXIES: 'localhost',
    GET_PET_DEPRECATED_SINCE: '2031-01-01T00:00:00Z',
    SUNSET_REHEARSAL: 'yes',
    DATABASE_OWNER_URL: 'mysql://root@db',
    CONTACT_URL: 'mailto:api@shop.example',
  }
  const error = mistakesOf(wrong)
  for (const name of Object.keys(wrong)) expect(error.message).toContain(`${name} must be`)
  expect(error.message).toContain('DATABASE_URL is required')
  expect(error.mistakes).toHaveLength(Object.keys(wrong).length + 1)
})

test('a secret is never printed, not even when it is wrong', () => {
  const config = parseConfig({ DATABASE_URL })
  for (const text of [inspect(config, { depth: 5 }), JSON.stringify(config), String(config.databaseUrl)]) {
    expect(text).not.toContain('hunter2')
    expect(text).toContain('[secret]')
  }
  expect(mistakesOf({ DATABASE_URL: 'mysql://petstore:hunter2@db' }).message).not.toContain('hunter2')
})

test('the rehearsal of the sunset is rejected in production', () => {
  expect(mistakesOf({ DATABASE_URL, SUNSET_REHEARSAL: 'true' }).message).toContain('refused in production')
  expect(parseConfig({ DATABASE_URL, ENVIRONMENT: 'staging', SUNSET_REHEARSAL: 'true' }).sunsetRehearsal).toBe(true)
})

test('resolvers, edges and authorities have working defaults, and no rule is relaxed', () => {
  const { domains, probeSecret } = parseConfig({ DATABASE_URL })
  expect(domains.resolvers.map(({ name, address, port }) => `${name} ${address} ${port}`)).toEqual([
    'Cloudflare 1.1.1.1 53',
    'Google 8.8.8.8 53',
    'Quad9 9.9.9.9 53',
  ])
  expect(domains).toMatchObject({ edgeAddresses: [], formerEdgeAddresses: [], testNetworks: [], testSuffixes: [] })
  expect(domains).toMatchObject({ authoritativePort: 53, probePort: 80 })
  expect(domains.authorities).toEqual([
    { name: "Let's Encrypt", domain: 'letsencrypt.org', accountUri: null, methods: ['http-01'] },
  ])
  expect(probeSecret).toBeUndefined()
})

test('resolvers are configured with names and ports, or without', () => {
  const resolversOf = (text: string) => parseConfig({ DATABASE_URL, DNS_RESOLVERS: text }).domains.resolvers
  expect(resolversOf('one=127.0.53.53:5300, 192.0.2.1,2001:db8::53, six=[2001:db8::54]:5353')).toEqual([
    { name: 'one', address: '127.0.53.53', port: 5300 },
    { name: '192.0.2.1', address: '192.0.2.1', port: 53 },
    { name: '2001:db8::53', address: '2001:db8::53', port: 53 },
    { name: 'six', address: '2001:db8::54', port: 5353 },
  ])
})

test.each([
  ['DNS_RESOLVERS', ['dns.google', '1.1.1', '1.1.1.1:0', '1.1.1.1:99999', 'x=', '1.1.1.1,,', '[::g]:53', '1.2.3.04']],
  ['EDGE_ADDRESSES', ['edge.example', '192.0.2.1/24', '256.1.1.1', '192.0.2.1;192.0.2.2']],
  ['FORMER_EDGE_ADDRESSES', ['::zz', '1.2.3.4.5']],
  ['CERTIFICATE_AUTHORITIES', ['letsencrypt', "Let's Encrypt", 'letsencrypt.org;pki.goog']],
  ['PROBE_SECRET', ['short']],
  ['CERTIFICATE_KEYS', ['key', 'a=short', `a=${KEY},a=${KEY}`, `a b=${KEY}`]],
  ['ACME_CONTACT', ['nobody', 'a@b,c@d']],
  ['CONTACT_NAME', [' ', 'two\nlines', 'x'.repeat(101)]],
  ['CONTACT_URL', ['shop.example', 'javascript:alert(1)', 'https://shop.example/?a=b']],
  ['CONTACT_EMAIL', ['nobody', 'a@b,c@d']],
  ['CONTROL_PORT', ['70000', 'x']],
  ['EDGE_CONTROL_URL', ['control.example', 'https://control.example/path']],
  ['EDGE_KEY', ['short']],
  ['MEDIA_STORE', ['disk', 'S3']],
  ['MEDIA_PROCESSES', ['0', '65', 'x']],
  ['MEDIA_BYTES_MAX', ['-1', '20 GB']],
  [
    'S3_ENDPOINT',
    ['s3.example', 'https://s3.example/', 'https://s3.example/photos', 'ftp://s3.example', 'https://a@s3.example'],
  ],
  ['S3_REGION', ['EU', 'eu_west', 'x'.repeat(33)]],
  ['S3_BUCKET', ['ab', 'Photos', '-photos', 'photos/a', 'x'.repeat(64)]],
  ['S3_PREFIX', ['/shops', 'shops/', 'shops//a', '../shops', 'sho ps', 'x'.repeat(201)]],
  ['S3_ACCESS_KEY_ID', ['a key', 'a/key', 'a,key']],
  ['S3_SECRET_ACCESS_KEY', ['a secret', 'ä']],
])('%s with an invalid value is a mistake', (name, values) => {
  for (const value of values) {
    expect(`${value}: ${mistakesOf({ DATABASE_URL, [name]: value }).message}`).toContain(`${name} must be`)
  }
})

test('an authority must have an https address', () => {
  const ordering = { DATABASE_URL, CERTIFICATE_KEYS: `new=${KEY}, old=${KEY}` }
  const { certificates } = parseConfig({ ...ordering, ACME_DIRECTORIES: 'pki.goog=https://ca.example/directory' })
  expect([...(certificates?.directories ?? [])]).toEqual([['pki.goog', 'https://ca.example/directory']])
  expect(certificates?.keys.map(({ id }) => id)).toEqual(['new', 'old'])
  expect(mistakesOf({ ...ordering, ACME_DIRECTORIES: 'pki.goog=http://ca.example' }).message).toContain(
    'ACME_DIRECTORIES',
  )
  expect(parseConfig({ DATABASE_URL }).certificates).toBeUndefined()
})

test('an edge with a control plane needs its key and its folder, and its token only until it has enrolled', () => {
  const whole = {
    DATABASE_URL,
    EDGE_CONTROL_URL: 'https://control.example',
    EDGE_TOKEN: `edge_${'x'.repeat(43)}`,
    EDGE_KEY: KEY,
    EDGE_DIRECTORY: '/var/lib/petstore-edge',
  }
  expect(parseConfig(whole).edge).toMatchObject({
    certificatePort: 9000,
    isolationHours: 72,
    photoBytes: 2_000_000_000,
  })
  expect(parseConfig({ ...whole, EDGE_TOKEN: '' }).edge?.token).toBeUndefined()
  for (const name of ['EDGE_KEY', 'EDGE_DIRECTORY']) {
    expect(mistakesOf({ ...whole, [name]: '' }).message).toContain('EDGE_CONTROL_URL also requires')
  }
  expect(parseConfig({ DATABASE_URL }).edge).toBeUndefined()
  expect(JSON.stringify(parseConfig(whole))).not.toContain(KEY)
})

test('test settings for DNS are rejected in production', () => {
  const loose = {
    DNS_AUTHORITATIVE_PORT: '5300',
    DNS_TEST_NETWORKS: '127.0.53.0/24,::1/128',
    TEST_SUFFIXES: 'test',
    PROBE_PORT: '8080',
    PROBE_TLS_PORT: '8443',
    ACME_TEST_ROOTS: 'a root',
  }
  const { mistakes } = mistakesOf({ DATABASE_URL, ...loose })
  expect(mistakes).toEqual(Object.keys(loose).map((name) => `${name} is for tests only and refused in production.`))
  expect(parseConfig({ DATABASE_URL, ENVIRONMENT: 'staging', ...loose }).domains).toMatchObject({
    authoritativePort: 5300,
    testNetworks: ['127.0.53.0/24', '::1/128'],
    testSuffixes: ['test'],
    probePort: 8080,
    probeTlsPort: 8443,
  })
})

test("links are built from the installation's own base address", () => {
  const addresses = { BASE_URL: 'https://api.shop.example/v1', STAGING_URL: 'https://staging.shop.example/v1' }
  expect(parseConfig({ DATABASE_URL, ...addresses }).baseUrl).toBe(addresses.BASE_URL)
  const staging = parseConfig({ DATABASE_URL, ...addresses, ENVIRONMENT: 'staging' })
  expect(staging.baseUrl).toBe(addresses.STAGING_URL)
  expect(staging.docsUrl).toBe('https://staging.shop.example/docs')
})

test('an installation with one base address has no other', () => {
  const address = 'https://api.shop.example/v1'
  const one = { production: address, staging: address }
  expect(parseConfig({ DATABASE_URL, BASE_URL: address }).addresses).toEqual(one)
  expect(parseConfig({ DATABASE_URL, STAGING_URL: address, ENVIRONMENT: 'staging' })).toMatchObject({
    addresses: one,
    baseUrl: address,
  })
  expect(parseConfig({ DATABASE_URL }).addresses).toEqual({
    production: 'http://127.0.0.1:3000/v1',
    staging: 'http://127.0.0.1:3001/v1',
  })
})

test("the contact defaults to the installation's own documentation", () => {
  const BASE_URL = 'https://api.shop.example/v1'
  expect(parseConfig({ DATABASE_URL, BASE_URL }).contact).toEqual({
    name: 'Petstore API',
    url: 'https://api.shop.example/docs',
  })
  expect(parseConfig({ DATABASE_URL, BASE_URL, DOCS_URL: 'https://docs.shop.example' }).contact.url).toBe(
    'https://docs.shop.example',
  )
  const contact = {
    CONTACT_NAME: 'Shop IT',
    CONTACT_URL: 'https://shop.example/help',
    CONTACT_EMAIL: 'it@shop.example',
  }
  expect(parseConfig({ DATABASE_URL, BASE_URL, ...contact }).contact).toEqual({
    name: 'Shop IT',
    url: 'https://shop.example/help',
    email: 'it@shop.example',
  })
})

function mistakesOf(env: Record<string, string>): ConfigError {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('the configuration was accepted')
}

test('mail needs a relay and a sender, and never prints their secrets', () => {
  expect(parseConfig({ DATABASE_URL }).mail).toBeUndefined()
  const mail = { SMTP_URL: 'smtps://petstore:hunter3@relay.example', MAIL_FROM: 'Petstore <no-reply@mail.example>' }
  const config = parseConfig({ DATABASE_URL, ...mail })
  expect(config.mail).toMatchObject({ connections: 2, perSecond: 10, isHeld: false, dkim: undefined })
  expect(inspect(config, { depth: 5 })).not.toContain('hunter3')
  expect(mistakesOf({ DATABASE_URL, SMTP_URL: mail.SMTP_URL }).message).toContain('SMTP_URL also requires MAIL_FROM.')
  expect(parseConfig({ DATABASE_URL, ...mail }).signUp).toBe('open')
  expect(parseConfig({ DATABASE_URL }).signUp).toBe('invited')
  expect(parseConfig({ DATABASE_URL, ...mail, SIGN_UP: 'closed' }).signUp).toBe('closed')
  expect(mistakesOf({ DATABASE_URL, SIGN_UP: 'open' }).message).toContain('SIGN_UP=open requires SMTP_URL')
  const bouncing = (address: string) => ({ DATABASE_URL, ...mail, MAIL_BOUNCE_ADDRESS: address })
  expect(parseConfig(bouncing('bounce@mail.example')).mail?.bounceAddress).toBe('bounce@mail.example')
  for (const address of ['bounce', 'bounce+x@mail.example', `${'b'.repeat(14)}@mail.example`]) {
    expect(mistakesOf(bouncing(address)).message).toContain('MAIL_BOUNCE_ADDRESS')
  }
  expect(mistakesOf({ DATABASE_URL, ...mail, DKIM_SELECTOR: 'petstore' }).message).toContain('are set together')
})

test('photos are stored in the database, or in a bucket that is completely described', () => {
  expect(parseConfig({ DATABASE_URL })).toMatchObject({ s3: undefined, mediaBytesMax: 20_000_000_000 })
  const whole = {
    MEDIA_STORE: 's3',
    S3_ENDPOINT: 'https://s3.example:9000',
    S3_BUCKET: 'photos',
    S3_ACCESS_KEY_ID: 'AKIA',
    S3_SECRET_ACCESS_KEY: 'hunter4',
  }
  const config = parseConfig({ DATABASE_URL, ...whole })
  expect(config).toMatchObject({ mediaBytesMax: undefined, s3: { region: 'us-east-1', prefix: '', bucket: 'photos' } })
  expect(inspect(config, { depth: 5 })).not.toContain('hunter4')
  const more = parseConfig({ DATABASE_URL, ...whole, S3_PREFIX: 'shops/a', S3_REGION: 'eu-1', MEDIA_BYTES_MAX: '5' })
  expect(more).toMatchObject({ mediaBytesMax: 5, s3: { region: 'eu-1', prefix: 'shops/a/' } })
  for (const name of ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']) {
    expect(mistakesOf({ DATABASE_URL, ...whole, [name]: '' }).message).toContain('MEDIA_STORE=s3 also requires')
  }
  for (const store of ['', 'database']) {
    expect(mistakesOf({ DATABASE_URL, ...whole, MEDIA_STORE: store }).message).toContain('require MEDIA_STORE=s3.')
  }
  expect(mistakesOf({ DATABASE_URL, ...whole, S3_SECRET_ACCESS_KEY: 'hunter 4' }).message).not.toContain('hunter')
})

test('certificates of default addresses need what their mode orders them with', () => {
  const [keys, updateKey] = [`first=${KEY}`, `petstore:hmac-sha256:${KEY}`]
  expect(parseConfig({ DATABASE_URL }).platformNames).toEqual({ tls: 'off', dnsUpdate: undefined, services: [] })
  const mistakes = (env: Record<string, string>) => mistakesOf({ DATABASE_URL, ...env }).mistakes
  expect(mistakes({ PLATFORM_TLS: 'per-host' })).toEqual([expect.stringContaining('requires CERTIFICATE_KEYS')])
  const wildcard = { PLATFORM_TLS: 'wildcard', CERTIFICATE_KEYS: keys }
  expect(mistakes(wildcard)).toEqual([expect.stringContaining('or DNS_UPDATE_HOOK')])
  expect(mistakes({ ...wildcard, DNS_UPDATE_SERVER: '192.0.2.53' })).toEqual([
    'PLATFORM_TLS=wildcard also requires DNS_UPDATE_KEY.',
  ])
  expect(mistakes({ PLATFORM_CERTIFICATE: 'x' })).toEqual(['PLATFORM_CERTIFICATE is used only with PLATFORM_TLS=file.'])
  const config = parseConfig({
    DATABASE_URL,
    ...wildcard,
    DNS_UPDATE_SERVER: '192.0.2.53',
    DNS_UPDATE_KEY: updateKey,
    BASE_URL: 'https://api.shop.com/v1',
    DASHBOARD_ORIGIN: 'https://app.shop.com',
  })
  expect(config.platformNames).toMatchObject({
    tls: 'wildcard',
    dnsUpdate: { kind: 'server', address: '192.0.2.53', port: 53, key: { name: 'petstore' } },
    services: ['api.shop.com', 'app.shop.com'],
  })
  expect(inspect(config, { depth: 5 })).not.toContain(KEY)
  const hook = parseConfig({ DATABASE_URL, ...wildcard, DNS_UPDATE_HOOK: '/etc/petstore/dns-hook' })
  expect(hook.platformNames.dnsUpdate).toEqual({ kind: 'hook', path: '/etc/petstore/dns-hook' })
})
