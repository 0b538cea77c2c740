import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

const DATABASE_URL = 'postgresql://petstore_app:hunter2@127.0.0.1/petstore'

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

test('the rehearsal of the sunset is refused in production', () => {
  expect(mistakesOf({ DATABASE_URL, SUNSET_REHEARSAL: 'true' }).message).toContain('refused in production')
  expect(parseConfig({ DATABASE_URL, ENVIRONMENT: 'staging', SUNSET_REHEARSAL: 'true' }).sunsetRehearsal).toBe(true)
})

test('links are built from the base address of the own installation', () => {
  const addresses = { BASE_URL: 'https://api.shop.example/v1', STAGING_URL: 'https://staging.shop.example/v1' }
  expect(parseConfig({ DATABASE_URL, ...addresses }).baseUrl).toBe(addresses.BASE_URL)
  const staging = parseConfig({ DATABASE_URL, ...addresses, ENVIRONMENT: 'staging' })
  expect(staging.baseUrl).toBe(addresses.STAGING_URL)
  expect(staging.docsUrl).toBe('https://staging.shop.example/docs')
})

function mistakesOf(env: Record<string, string>): ConfigError {
  try {
    parseConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('the configuration was accepted')
}
