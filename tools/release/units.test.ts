// The systemd units, read as data. `npm run ship -- --only units` has systemd itself check them.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../server/units')
const units = globSync(join(folder, '*.service'))
  .sort()
  // Runs nothing.
  .filter((path) => !path.endsWith('petstore-listen.service'))
  .map((path) => [basename(path), readFileSync(path, 'utf8')] as const)

/** Values by key; a line that is neither comment, section nor assignment is an error. */
function settingsIn(unit: string): Map<string, string[]> {
  const settings = new Map<string, string[]>()
  for (const line of unit.split('\n').filter((one) => !/^(#.*|\[(Unit|Service|Socket|Install)\]|)$/.test(one))) {
    const [, key, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw new Error(`Not a setting: ${line}`)
    settings.set(key, [...(settings.get(key) ?? []), value])
  }
  return settings
}

/** From the user on, a unit is the same for every role. */
const sandboxOf = (unit: string) => unit.slice(unit.indexOf('\nUser=')).replace(/\n\[Install\][^]*/, '')

test('every role that runs all the time has a unit, and so has the backup', () => {
  expect(units.map(([name, unit]) => [name, ...(settingsIn(unit).get('ExecStart') ?? [])])).toEqual([
    ['petstore-backup.service', '/opt/petstore/current/bin/petstore backup --json'],
    ['petstore-edge.service', '/opt/petstore/current/bin/petstore edge'],
    ['petstore-serve.service', '/opt/petstore/current/bin/petstore serve'],
    ['petstore-work.service', '/opt/petstore/current/bin/petstore work'],
    ['petstore.service', '/opt/petstore/current/bin/petstore start'],
  ])
})

test('the backup runs every night wherever background jobs do, without being enabled', () => {
  expect(readFileSync(join(folder, 'petstore-backup.timer'), 'utf8')).toMatch(/^OnCalendar=\*-\*-\* \d\d:00:00$/m)
  const starting = units.filter(([, unit]) => settingsIn(unit).get('Wants')?.join().includes('petstore-backup.timer'))
  expect(starting.map(([name]) => name)).toEqual(['petstore-work.service', 'petstore.service'])
})

test('what listens for the API and the sites inherits the sockets, in the order in which the program takes them', () => {
  const socket = readFileSync(join(folder, 'petstore-listen.socket'), 'utf8')
  expect(settingsIn(socket).get('ListenStream')).toEqual(['127.0.0.1:3000', '127.0.0.1:3080', '127.0.0.1:9000'])
  const inheriting = units.filter(([, unit]) => settingsIn(unit).has('Sockets')).map(([name]) => name)
  expect(inheriting).toEqual(['petstore-edge.service', 'petstore-serve.service', 'petstore.service'])
})

test.each(units)('%s has the sandbox of all, and reads no file of variables', (_, unit) => {
  expect(sandboxOf(unit)).toBe(sandboxOf(units[0]![1]))
  const settings = settingsIn(unit)
  expect(settings.get('ProtectSystem')).toEqual(['strict'])
  expect(settings.has('EnvironmentFile')).toBe(false)
  expect(settings.has('MemoryDenyWriteExecute')).toBe(false)
})

test('secrets are named like their settings, and an edge has none of the database', () => {
  for (const [name, unit] of units) {
    const secrets = settingsIn(unit).get('LoadCredential') ?? []
    for (const one of secrets) expect(one).toMatch(/^([A-Z_]+):\/etc\/petstore\/secrets\/\1$/)
    expect(secrets.some((one) => one.startsWith('DATABASE_'))).toBe(name !== 'petstore-edge.service')
  }
})

test('a line that is no setting, and a unit with another sandbox, are noticed (negative control)', () => {
  expect(() => settingsIn('[Service]\nExecStart /bin/true')).toThrow('ExecStart /bin/true')
  const [, unit] = units[0]!
  expect(sandboxOf(unit.replace('PrivateTmp=yes', 'PrivateTmp=no'))).not.toBe(sandboxOf(unit))
})
