import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from './config.ts'
import { fileNameOf, isKnown, probablyMeant, settings } from './settings.ts'

const DATABASE_URL = 'postgresql://petstore_app@127.0.0.1/petstore'
/** Read by what reads the sources of the settings, before there is a configuration. */
const ofSources = ['SECRETS_DIRECTORY']
/** The path of a setting's own file, for what is read again when it changes. */
const ofFiles = ['PLATFORM_CERTIFICATE_FILE']

function namesReadBy(parse: typeof parseConfig, env: Record<string, string>): Set<string> {
  const names = new Set<string>()
  const recording = new Proxy(env, {
    get: (target, name) => (names.add(String(name)), target[String(name)]),
  })
  parse(recording)
  return names
}

describe('the list of settings', () => {
  test('has the names that the configuration reads, and no others', () => {
    const edge = {
      EDGE_CONTROL_URL: 'https://control.example',
      EDGE_TOKEN: 'x'.repeat(32),
      EDGE_KEY: `${'A'.repeat(43)}=`,
      EDGE_DIRECTORY: '/edge',
    }
    const read = namesReadBy(parseConfig, { DATABASE_URL, ...edge, CONTROL_PORT: '0', CERTIFICATE_KEYS: '' })
    expect([...read, ...ofSources].sort()).toEqual([...Object.keys(settings), ...ofFiles].sort())
  })

  test('has the names of the table in the documentation, and no others', () => {
    expect(documented(operations).sort()).toEqual(Object.keys(settings).sort())
  })

  test('has the defaults that the configuration uses', () => {
    for (const [name, value] of defaults()) {
      expect(asText(parseConfig({ ...staging, [name]: value }))).toBe(asText(parseConfig(staging)))
    }
    expect(defaults().length).toBeGreaterThan(30)
  })

  test('and a setting that only one of them has is reported (negative control)', () => {
    const withOneMore: typeof parseConfig = (env) => (env['ONE_MORE'], parseConfig(env))
    expect(namesReadBy(withOneMore, { DATABASE_URL }).has('ONE_MORE')).toBe(true)
    expect(documented(operations.replace('| `LOG_LEVEL` ', '| `LOG_LEVELS` '))).not.toContain('LOG_LEVEL')
    expect(asText(parseConfig({ ...staging, PORT: '3001' }))).not.toBe(asText(parseConfig(staging)))
  })
})

/** Where the settings for tests are allowed. */
const staging = { DATABASE_URL, ENVIRONMENT: 'staging' }
const defaults = () =>
  Object.entries(settings).flatMap(([name, { default: value }]) =>
    value === undefined || name === 'ENVIRONMENT' ? [] : [[name, value] as const],
  )
const asText = (config: object) =>
  JSON.stringify(config, (_, value: unknown) => (value instanceof Map ? [...value] : value))

const operations = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
/** The first column of the table of settings. */
const documented = (text: string): string[] =>
  (text.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name))

describe('a name', () => {
  test.each([
    ['BASE_ULR', 'BASE_URL'],
    ['TRUSTED_PROXYS', 'TRUSTED_PROXIES'],
    ['RATELIMIT_PER_KEY', 'RATE_LIMIT_PER_KEY'],
    ['DATABASE_URL_FIEL', 'DATABASE_URL_FILE'],
    ['PROT', 'PORT'],
  ])('%s probably means %s', (name, meant) => {
    expect([isKnown(name), probablyMeant(name)]).toEqual([false, meant])
  })

  test.each(['HOME', 'PATH', 'PWD', 'TERM', 'MAIL', 'SHELL', 'USER', 'HOSTNAME', 'LOGNAME', 'LANG', 'SHLVL'])(
    '%s of the shell is not taken for a setting',
    (name) => {
      expect(probablyMeant(name)).toBeUndefined()
    },
  )

  test('with the suffix _FILE is known for secrets and documents alone', () => {
    expect(['DATABASE_URL_FILE', 'SMTP_ROOTS_FILE', 'PORT_FILE', 'ANY_FILE'].map(isKnown)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(fileNameOf('PORT')).toBeUndefined()
  })
})
