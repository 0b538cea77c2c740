// An edge's replicated state, against a control plane that is reachable, slow, broken or
// gone: the host table and its log, certificates in memory and sealed on disk, and the
// endpoint that the server in front requests certificates from.

import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { appendFile, copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '../../src/foundation/time.ts'
import { Secret } from '../../src/foundation/secret.ts'
import {
  askPort,
  makeCertificate,
  makeFolder,
  movableClocks,
  scriptControl,
  siteOf,
  startTestEdge,
  until,
  type EdgeFolder,
  type Fault,
  type ScriptedControl,
  type TestEdge,
} from './scripted-control.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

async function place() {
  const control = await scriptControl()
  const folder = await makeFolder()
  const clocks = movableClocks()
  ends.push(async () => {
    await control.stop()
    await folder.remove()
    expect(control.surprises).toEqual([])
  })
  return { control, folder, clocks, start: (changes = {}) => starting(control, folder, clocks, changes) }
}

async function starting(...[control, folder, clocks, changes]: Parameters<typeof startTestEdge>): Promise<TestEdge> {
  const edge = await startTestEdge(control, folder, clocks, changes)
  ends.push(() => edge.stop())
  return edge
}

/** A hostname with a certificate, as the control plane publishes it. */
async function attach(control: ScriptedControl, hostname: string, generation = '1', dates = {}) {
  const certificate = await makeCertificate(hostname, generation, dates)
  control.certificates.set(hostname, certificate)
  control.put(hostname, siteOf(certificate))
  return certificate
}

const fileOf = ({ directory }: EdgeFolder, hostname: string) =>
  join(directory, 'certificates', createHash('sha256').update(hostname).digest('hex'))
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
const caughtUp = (edge: TestEdge, { state }: ScriptedControl) => until(() => edge.table.seq === state.head)
const shownSerial = (body: string) => new X509Certificate(body).serialNumber.toLowerCase()

/** Ready to lose the control plane: everything replicated, and on disk. */
async function settled(edge: TestEdge, control: ScriptedControl, folder: EdgeFolder) {
  await caughtUp(edge, control)
  await until(async () => {
    const here = [...control.certificates.keys()].filter((name) => edge.table.find(name))
    return (await Promise.all(here.map((name) => exists(fileOf(folder, name))))).every(Boolean)
  })
}

describe('the host table of an edge', () => {
  test('follows the control plane, one request at a time, and acknowledges its position', async () => {
    const { control, start } = await place()
    await attach(control, 'a.test')
    const edge = await start()
    await caughtUp(edge, control)
    expect(edge.table.find('a.test')).toMatchObject({ slug: 'paws', kind: 'site' })
    expect(edge.connected()).toBe(true)
    control.put('a.test', { kind: 'gone', generation: '1' })
    await until(() => edge.table.find('a.test') === undefined)
    await until(() => control.asksFor(`changes?after=${control.state.head}`).length > 0)
    expect(control.state.maxAtOnce).toBe(1)
    expect(edge.errors).toEqual([])
  })

  test('is restored from disk without a control plane, and continues where it was', async () => {
    const { control, folder, start } = await place()
    const { chain, key } = await attach(control, 'a.test')
    await attach(control, 'b.test')
    const before = await start()
    await settled(before, control, folder)
    control.put('b.test', { kind: 'gone', generation: '1' })
    await caughtUp(before, control)
    await before.stop()
    await control.shut()

    const edge = await start()
    expect([edge.table.size, edge.table.seq]).toEqual([1, 3])
    expect(edge.table.find('b.test')).toBeUndefined()
    const answer = await edge.ask('a.test')
    expect(answer).toMatchObject({ status: 200, type: 'application/x-pem-file' })
    expect(answer.body.trim()).toBe(`${chain.trim().replaceAll('\n\n', '\n')}\n${key.trim()}`)
    expect(await edge.ask('b.test')).toMatchObject({ status: 404, body: '' })

    const requestCount = control.asked.length
    await control.open()
    await attach(control, 'c.test')
    await caughtUp(edge, control)
    expect(control.asked.slice(requestCount).find((line) => line.startsWith('changes'))).toBe(
      'changes?after=3&wait=0&protocol=3',
    )
  })

  test.each<[what: string, damage: (path: string) => Promise<unknown>]>([
    ['a line that was written in part', async (path) => truncate(path, (await stat(path)).size - 5)],
    [
      'a flipped bit',
      async (path) => {
        const bytes = await readFile(path)
        const at = bytes.lastIndexOf('c.test')
        bytes[at] = (bytes[at] ?? 0) ^ 1
        await writeFile(path, bytes)
      },
    ],
  ])('is cut at %s, and what was lost is requested again', async (_, damage) => {
    const { control, folder, start } = await place()
    for (const name of ['a.test', 'b.test', 'c.test']) await attach(control, name)
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    await damage(join(folder.directory, 'routes.log'))
    await control.shut()
    const edge = await start()
    expect([edge.table.size, edge.table.seq]).toEqual([2, 2])
    await control.open()
    await caughtUp(edge, control)
    expect(edge.table.size).toBe(3)
    await edge.stop()
    const again = await start()
    expect(again.table.seq).toBe(3)
  })

  test('is not read beyond garbage, which may be anything', async () => {
    const { control, folder, start } = await place()
    await attach(control, 'a.test')
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    const log = join(folder.directory, 'routes.log')
    const good = (await stat(log)).size
    const line = (await readFile(log, 'utf8')).split('\n')[0] ?? ''
    await appendFile(log, Buffer.concat([Buffer.alloc(100_000, 0xff), Buffer.from(`\n${line}\n`)]))
    await control.shut()
    const edge = await start()
    expect([edge.table.size, edge.table.seq]).toEqual([1, 1])
    expect((await stat(log)).size).toBe(good)
  })

  test('is compacted when most of its log is history, without losing anything', async () => {
    const { control, folder, start } = await place()
    const edge = await start()
    const leads = { kind: 'site' as const, slug: 'paws', generation: '1', serial: 'ab' }
    control.does('certificates', 'error')
    for (let turn = 0; turn < 400; turn += 1) {
      for (let name = 0; name < 6; name += 1) control.put(`n${name}.test`, leads)
      if (turn % 20 === 19) await caughtUp(edge, control)
    }
    control.put('n5.test', { kind: 'gone', generation: '1' })
    await caughtUp(edge, control)
    const log = join(folder.directory, 'routes.log')
    await until(async () => (await readFile(log, 'utf8')).split('\n').length < 1200)
    control.put('last.test', leads)
    await caughtUp(edge, control)
    await edge.stop()
    await control.shut()
    const again = await start()
    expect([again.table.size, again.table.seq]).toEqual([6, control.state.head])
    expect(again.table.find('n5.test')).toBeUndefined()
  })

  test('restarts on a reset, and drops what it does not receive again', async () => {
    const { control, folder, start } = await place()
    await attach(control, 'a.test')
    await attach(control, 'b.test')
    const edge = await start()
    await settled(edge, control, folder)
    control.routes.delete('a.test')
    control.state.isResetNext = true
    control.wake()
    await until(() => edge.table.find('a.test') === undefined && edge.table.find('b.test') !== undefined)
    await caughtUp(edge, control)
    await edge.stop()
    await control.shut()
    expect((await start()).table.size).toBe(1)
  })

  test('is read in pages, even when hostnames were forgotten in the meantime', async () => {
    const { control, folder, start } = await place()
    Object.assign(control.state, { pageSize: 3, head: 100 })
    for (let name = 0; name < 10; name += 1) await attach(control, `n${name}.test`)
    Object.assign(control.state, { head: 200, forgotten: 190 })
    const edge = await start()
    await caughtUp(edge, control)
    expect(edge.table.size).toBe(10)
    const requestCount = control.asksFor('changes').length
    await settled(edge, control, folder)
    await edge.stop()
    // Known to be up to date, it need not start from the beginning after a restart.
    const again = await start()
    expect(again.table.seq).toBe(200)
    await until(() => control.asksFor('changes?after=200').length > 1)
    expect(requestCount).toBeLessThan(12)
  })

  test.each<Fault>(['hang', 'drip', 'nonsense', 'types', 'huge', 'error', 'cut', 'headers', 'refuse'])(
    'stays as it is while the control plane responds with: %s; and continues afterwards',
    async (what) => {
      const { control, folder, start } = await place()
      await attach(control, 'a.test')
      const edge = await start()
      await settled(edge, control, folder)
      control.does('changes', what)
      await until(() => edge.errors.length > 0)
      expect(edge.table.find('a.test')).toBeDefined()
      expect((await edge.ask('a.test')).status).toBe(200)
      control.does('changes', undefined)
      await attach(control, 'b.test')
      await caughtUp(edge, control)
      expect(edge.errors.length).toBeLessThan(4)
    },
  )

  test('is in a folder that only the edge itself may read', async () => {
    const { folder, start } = await place()
    await start()
    expect((await stat(folder.directory)).mode & 0o777).toBe(0o700)
  })
})

describe('the certificate endpoint', () => {
  test('responds from memory at once, also for capitals and with the parameters that Caddy adds', async () => {
    const { control, folder, start } = await place()
    const { serial, key } = await attach(control, 'a.test')
    const edge = await start()
    await settled(edge, control, folder)
    const added = 'A.Test&signature_schemes=1027&cipher_suites=4865'
    const { status, body } = await edge.ask(added)
    expect([status, shownSerial(body)]).toEqual([200, serial])
    expect(new X509Certificate(body).checkPrivateKey(createPrivateKey(key))).toBe(true)
    const times: number[] = []
    for (let count = 0; count < 200; count += 1) {
      const startedAt = performance.now()
      expect(edge.certificates.find('a.test', 1500)).toBeInstanceOf(Buffer)
      times.push(performance.now() - startedAt)
    }
    expect(times.sort((one, other) => one - other)[100]).toBeLessThan(1)
    expect(control.asksFor('certificates/a.test')).toHaveLength(1)
  })

  test('responds 404 to everything else', async () => {
    const { control, start } = await place()
    await attach(control, 'a.test')
    const edge = await start()
    await caughtUp(edge, control)
    const ask = (path: string, method?: string) => askPort(edge.certificatePort, path, method)
    const answers = await Promise.all([
      edge.ask('unknown.test'),
      edge.ask(''),
      edge.ask('%00'),
      edge.ask('..%2f..%2fetc'),
      edge.ask('x'.repeat(5000)),
      ask('/edge/certificate'),
      ask('/edge/certificates?server_name=a.test'),
      ask('/edge/certificate?server_name=a.test', 'POST'),
      ask('/edge/certificate?server_name=a.test', 'DELETE'),
      ask('/'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
    expect(control.asksFor('certificates').every((line) => line.startsWith('certificates/a.test'))).toBe(true)
  })

  test.each<Fault>(['hang', 'drip', 'nonsense', 'types', 'huge', 'error', 'cut', 'headers', 'refuse'])(
    'responds within two seconds whatever the control plane does: %s',
    async (what) => {
      const { control, start } = await place()
      control.does('certificates', what)
      await attach(control, 'a.test')
      const edge = await start()
      await caughtUp(edge, control)
      const answers = await Promise.all(Array.from({ length: 10 }, () => edge.ask('a.test')))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(2000)
      // Nor does it wait that long each time: one that follows the failure is answered at once.
      await expect.poll(async () => (await edge.ask('a.test')).ms, { timeout: 30_000 }).toBeLessThan(1000)
    },
  )

  test('sends one request to the control plane for a hundred concurrent requests', async () => {
    const { control, folder, start, clocks } = await place()
    await attach(control, 'a.test')
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    await writeFile(fileOf(folder, 'a.test'), 'nothing')
    control.asked.length = 0
    control.does('changes', 'hang')
    const edge = await starting(control, folder, clocks, {})
    const answers = await Promise.all(Array.from({ length: 100 }, () => edge.ask('a.test')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(control.asksFor('certificates')).toHaveLength(1)
  })

  test('caches for five seconds that there is none, unless the route changes', async () => {
    const { control, start, clocks } = await place()
    control.put('a.test', { kind: 'site', slug: 'paws', generation: '1', serial: 'ab' })
    const edge = await start()
    await caughtUp(edge, control)
    await until(() => control.asksFor('certificates').length >= 2)
    const requests = () => control.asksFor('certificates/a.test').length
    expect((await edge.ask('a.test')).status).toBe(404)
    const once = requests()
    for (let count = 0; count < 20; count += 1) expect((await edge.ask('a.test')).status).toBe(404)
    expect(requests()).toBe(once)
    clocks.pass(5001)
    expect((await edge.ask('a.test')).status).toBe(404)
    expect(requests()).toBeGreaterThan(once)
    await attach(control, 'a.test')
    await until(async () => (await edge.ask('a.test')).status === 200)
  })

  test('serves the default addresses with the platform’s certificate, one label deep', async () => {
    const { control, start } = await place()
    const { chain, key } = await makeCertificate('*.petstore.test', '0')
    const edge = await start({ platformCertificate: new Secret(`${chain}${key}`) })
    await caughtUp(edge, control)
    await until(() => edge.connected())
    expect((await edge.ask('happy-paws.petstore.test')).status).toBe(200)
    for (const name of ['a.b.petstore.test', 'petstore.test', '.petstore.test', 'happy-paws.petstore.test.evil.test']) {
      expect((await edge.ask(name)).status).toBe(404)
    }
  })
})

describe('a certificate', () => {
  test('that was renewed replaces the one before as soon as it arrives', async () => {
    const { control, folder, start, clocks } = await place()
    const first = await attach(control, 'a.test')
    const edge = await start()
    await settled(edge, control, folder)
    control.does('certificates', 'error')
    const second = await attach(control, 'a.test')
    await caughtUp(edge, control)
    const shown = async () => shownSerial((await edge.ask('a.test')).body)
    expect(await shown()).toBe(first.serial)
    control.does('certificates', undefined)
    clocks.pass(MINUTE)
    await until(async () => (await shown()) === second.serial)
    await until(async () => (await readFile(fileOf(folder, 'a.test'), 'latin1')).includes(second.serial))
    await edge.stop()
    await control.shut()
    expect(shownSerial((await (await start()).ask('a.test')).body)).toBe(second.serial)
  })

  test('that has expired is never served', async () => {
    const { control, folder, start, clocks } = await place()
    await attach(control, 'a.test', '1', { notAfter: Date.now() + HOUR })
    const edge = await start()
    await settled(edge, control, folder)
    clocks.move(59 * MINUTE)
    expect((await edge.ask('a.test')).status).toBe(200)
    clocks.move(61 * SECOND)
    expect((await edge.ask('a.test')).status).toBe(404)
    await edge.stop()
    expect((await (await start()).ask('a.test')).status).toBe(404)
  })

  test('of a removed hostname is no longer served from that moment, and is deleted from disk', async () => {
    const { control, folder, start } = await place()
    const { generation } = await attach(control, 'a.test')
    const edge = await start()
    await settled(edge, control, folder)
    expect((await edge.ask('a.test')).status).toBe(200)
    control.put('a.test', { kind: 'gone', generation })
    await until(() => edge.table.find('a.test') === undefined)
    expect(edge.certificates.find('a.test', 1500)).toBeUndefined()
    await until(async () => !(await exists(fileOf(folder, 'a.test'))))
  })

  test('of an earlier generation is never served, neither from memory nor from disk', async () => {
    const { control, folder, start } = await place()
    const old = await attach(control, 'a.test', '1')
    const edge = await start()
    await settled(edge, control, folder)
    // The hostname has changed hands; the control plane still returns the old certificate.
    control.put('a.test', { kind: 'site', slug: 'claws', generation: '2', serial: old.serial })
    await caughtUp(edge, control)
    expect((await edge.ask('a.test')).status).toBe(404)
    await edge.stop()
    expect((await (await start()).ask('a.test')).status).toBe(404)
  })

  test('for another hostname, of another key or with another serial is rejected from any source', async () => {
    const { control, start } = await place()
    const [one, other] = [await makeCertificate('a.test', '1'), await makeCertificate('b.test', '1')]
    const wrong = {
      'name.test': { ...one, hostname: 'name.test' },
      'key.test': { ...(await makeCertificate('key.test', '1')), key: other.key },
      'serial.test': { ...(await makeCertificate('serial.test', '1')), serial: '4444' },
    }
    for (const [name, certificate] of Object.entries(wrong)) {
      control.certificates.set(name, certificate)
      control.put(name, siteOf(certificate))
    }
    const edge = await start()
    await caughtUp(edge, control)
    for (const name of Object.keys(wrong)) expect((await edge.ask(name)).status).toBe(404)
  })
})

describe('the disk of an edge', () => {
  /** An edge that has nothing but its disk, which was tampered with. */
  async function tampered(tamper: (folder: EdgeFolder) => Promise<unknown>) {
    const { control, folder, start } = await place()
    for (const name of ['a.test', 'b.test']) await attach(control, name)
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    await tamper(folder)
    await control.shut()
    const cutOff = await start()
    const alone = (await cutOff.ask('a.test')).status
    await cutOff.stop()
    await control.open()
    const edge = await start()
    return { alone, withControl: await edge.ask('a.test') }
  }

  test('is what an isolated edge serves from', async () => {
    expect(await tampered(async () => {})).toMatchObject({ alone: 200, withControl: { status: 200 } })
  })

  test.each([0, 0.01, 0.03, 0.05, 0.1, 0.5, 0.999])(
    'is not trusted when a bit of a certificate has flipped (at %f of it): it is fetched again',
    async (share) => {
      const { alone, withControl } = await tampered(async (folder) => {
        const bytes = await readFile(fileOf(folder, 'a.test'))
        const at = Math.floor(share * bytes.length)
        bytes[at] = (bytes[at] ?? 0) ^ 4
        await writeFile(fileOf(folder, 'a.test'), bytes)
      })
      expect([alone, withControl.status]).toEqual([404, 200])
    },
  )

  test('is not trusted when two files were swapped', async () => {
    const { alone, withControl } = await tampered((folder) =>
      copyFile(fileOf(folder, 'b.test'), fileOf(folder, 'a.test')),
    )
    expect([alone, withControl.status]).toEqual([404, 200])
    expect(new X509Certificate(withControl.body).subjectAltName).toBe('DNS:a.test')
  })

  test('is of no use with another key', async () => {
    const { control, folder, start } = await place()
    await attach(control, 'a.test')
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    await control.shut()
    const other = await start({ key: new Secret(Buffer.alloc(32, 7).toString('base64')) })
    expect((await other.ask('a.test')).status).toBe(404)
  })

  test('holds no private key in clear', async () => {
    const { control, folder, start } = await place()
    const keys = []
    for (const name of ['a.test', 'b.test', 'c.test']) keys.push((await attach(control, name)).key)
    const edge = await start()
    await settled(edge, control, folder)
    for (const name of ['a.test', 'b.test', 'c.test']) await edge.ask(name)
    expect(await filesWithKeys(folder, keys)).toEqual([])
    // Negative control: the search finds a key.
    await writeFile(join(folder.directory, 'certificates', 'careless'), `x${keys[1]}`)
    expect(await filesWithKeys(folder, keys)).toEqual(['certificates/careless'])
  })

  async function filesWithKeys({ directory }: EdgeFolder, keys: readonly string[]): Promise<string[]> {
    const found: string[] = []
    const secrets = keys.flatMap((key) => {
      const der = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })
      // The scalar itself, in any wrapping, and the text of the PEM.
      return [der.subarray(36, 68), Buffer.from(key.split('\n')[1] ?? ''), Buffer.from('PRIVATE KEY')]
    })
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const bytes = await readFile(path)
      if (secrets.some((secret) => bytes.includes(secret))) found.push(path.slice(directory.length + 1))
    }
    return found
  }

  test('keeps no certificate of hostnames that no longer exist', async () => {
    const { control, folder, start } = await place()
    await attach(control, 'a.test')
    const before = await start()
    await settled(before, control, folder)
    await before.stop()
    const stray = fileOf(folder, 'stray.test')
    await writeFile(stray, 'stray.test 1 ab\nsealed')
    await start()
    await until(async () => !(await exists(stray)))
    expect(await exists(fileOf(folder, 'a.test'))).toBe(true)
  })
})

describe('an isolated edge', () => {
  test('serves everything it has for 72 hours, across a restart, and nothing afterwards until it is connected', async () => {
    const { control, folder, start, clocks } = await place()
    await attach(control, 'a.test')
    const before = await start()
    await settled(before, control, folder)
    await control.shut()
    const cutAt = clocks.now()
    const goTo = (ms: number) => clocks.move(cutAt + ms - clocks.now())
    await before.stop()

    goTo(71 * HOUR + 59 * MINUTE)
    const edge = await start()
    expect([edge.isolated(), (await edge.ask('a.test')).status]).toEqual([false, 200])
    await edge.stop()
    const again = await start()
    expect([again.isolated(), (await again.ask('a.test')).status]).toEqual([false, 200])
    goTo(72 * HOUR + 1 * MINUTE)
    expect([again.isolated(), (await again.ask('a.test')).status]).toEqual([true, 404])
    await again.stop()
    const third = await start()
    expect([third.isolated(), (await third.ask('a.test')).status]).toEqual([true, 404])
    await control.open()
    await until(() => !third.isolated())
    expect((await third.ask('a.test')).status).toBe(200)
  })

  test('counts from the last response, not from the last change', async () => {
    const { control, folder, start, clocks } = await place()
    await attach(control, 'a.test')
    const edge = await start()
    await settled(edge, control, folder)
    clocks.move(71 * HOUR)
    const requests = control.asksFor('changes').length
    control.wake()
    await until(() => control.asksFor('changes').length > requests + 1)
    await control.shut()
    clocks.move(71 * HOUR + 59 * MINUTE)
    expect(edge.isolated()).toBe(false)
    clocks.move(2 * MINUTE)
    expect(edge.isolated()).toBe(true)
  })

  test('that has never reached its control plane serves nothing', async () => {
    const { control, start } = await place()
    await control.shut()
    const edge = await start()
    expect([edge.isolated(), edge.connected(), (await edge.ask('a.test')).status]).toEqual([true, false, 404])
  })
})

test('a challenge is requested and answered within its deadline, or is not found', async () => {
  const { control, start } = await place()
  control.challenges.set('a.test/token', 'token.print')
  const { control: access } = await start()
  expect(await access.challenge('a.test', 'token', 1000)).toEqual({ keyAuthorization: 'token.print' })
  expect(await access.challenge('a.test', 'other', 1000)).toBeNull()
  for (const what of ['hang', 'drip', 'nonsense', 'types', 'huge', 'error', 'cut', 'headers', 'refuse'] as const) {
    control.does('challenges', what)
    const startedAt = performance.now()
    await expect(access.challenge('a.test', 'token', 500)).rejects.toThrow('control plane')
    expect(performance.now() - startedAt).toBeLessThan(5000)
  }
})
