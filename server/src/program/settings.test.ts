import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { integer, type Setting } from '../foundation/setting.ts'
import { configOf, parseConfig } from './config.ts'
import { fileNameOf, isKnown, probablyMeant, readValues, settings } from './settings.ts'

const DATABASE_URL = 'postgresql://petstore_app@127.0.0.1/petstore'
const KEY = `${'A'.repeat(43)}=`
/** Read by what reads the sources of the settings, before there is a configuration. */
const ofSources = ['SECRETS_DIRECTORY']

function namesUsedBy(make: typeof configOf, env: Record<string, string>): string[] {
  const names = new Set<string>()
  const recording = new Proxy(readValues(env, []), {
    get: (target, name) => (names.add(String(name)), Reflect.get(target, name)),
  })
  make(recording, undefined, [])
  return [...names].sort()
}

describe('the list of settings', () => {
  test('has the names that the configuration uses, and no others', () => {
    const edge = {
      EDGE_CONTROL_URL: 'https://control.example',
      EDGE_TOKEN: 'x'.repeat(32),
      EDGE_KEY: KEY,
      EDGE_DIRECTORY: '/edge',
    }
    const mail = { SMTP_URL: 'smtps://relay.example', MAIL_FROM: 'no-reply@mail.example' }
    const used = namesUsedBy(configOf, {
      DATABASE_URL,
      ...edge,
      ...mail,
      CONTROL_PORT: '0',
      CERTIFICATE_KEYS: `a=${KEY}`,
    })
    expect([...used, ...ofSources].sort()).toEqual(Object.keys(settings).sort())
  })

  test('has the names of the table in the documentation, and no others', () => {
    expect(documented(operations).sort()).toEqual(Object.keys(settings).sort())
  })

  test('has defaults that have the form of their setting', () => {
    const defaults = Object.entries(settings).filter(([, setting]) => setting.default !== undefined)
    expect(defaults.filter(([, setting]) => !hasGoodDefault(setting))).toEqual([])
    expect(defaults.length).toBeGreaterThan(30)
  })

  test('and what only one of them has is reported (negative control)', () => {
    const ofPort: typeof configOf = ({ PORT }) => ({ ...parseConfig({ DATABASE_URL }), port: PORT })
    expect(namesUsedBy(ofPort, { DATABASE_URL })).toEqual(['PORT'])
    expect(documented(operations.replace('| `LOG_LEVEL` ', '| `LOG_LEVELS` '))).not.toContain('LOG_LEVEL')
    expect(hasGoodDefault({ ...integer(1, 10), about: 'a digit', default: '11' })).toBe(false)
  })
})

const hasGoodDefault = (setting: Setting) => setting.parse(setting.default ?? '') !== undefined

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
