// The on-disk log of an edge's host table survives a crash at any moment; an edge bounds the
// number of certificates in memory; and it trusts a control plane behind TLS by its root
// alone.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import { openControl } from '../../src/edge/control-client.io.ts'
import { createCertificates } from '../../src/edge/certificate-cache.io.ts'
import { openDisk } from '../../src/edge/host-table-disk.io.ts'
import { openCertificateFiles } from '../../src/edge/certificate-files.io.ts'
import { createHostTable, type HostTable } from '../../src/edge/host-table.ts'
import { makeFakeChain } from '../../../testbed/harness/fake-chain.ts'
import type { CertificateResponse, Route } from '../../src/fleet/protocol.ts'
import { makeCertificate, makeFolder, siteOf, TOKEN, until } from './scripted-control.ts'

const folder = await makeFolder()
afterAll(() => folder.remove())

const source = (name: string) => JSON.stringify(new URL(`../../src/edge/${name}.ts`, import.meta.url).href)

/** The change with this number, here and in the process that is killed. */
const change = (seq: number): Route => {
  const common = { seq, hostname: `n${(seq * 7919) % 60}.test`, generation: '1' }
  return seq % 5 === 0 ? { ...common, kind: 'gone' } : { ...common, kind: 'site', slug: 'paws', serial: `ab${seq}` }
}

/** Applies changes without end, and prints each number once it is on the disk. */
const child = (directory: string) => `
  import { openDisk } from ${source('host-table-disk.io')}
  import { createHostTable } from ${source('host-table')}
  const change = ${change.toString()}
  const table = createHostTable()
  const disk = await openDisk({ now: Date.now, onError: (e) => { throw e } }, ${JSON.stringify(directory)}, table)
  for (let seq = table.seq + 1; ; seq += 1) {
    const page = [change(seq), change(++seq), change(++seq)]
    for (const route of page) table.apply(route)
    await disk.keep(page)
    console.log(seq)
  }
`

async function loaded(directory: string): Promise<HostTable> {
  const table = createHostTable()
  const errors: Error[] = []
  const disk = await openDisk({ now: Date.now, onError: (error) => void errors.push(error) }, directory, table)
  await disk.close()
  expect(errors).toEqual([])
  return table
}

function expected(upTo: number): HostTable {
  const table = createHostTable()
  for (let seq = 1; seq <= upTo; seq += 1) table.apply(change(seq))
  return table
}

describe('the log of routes', () => {
  test('has every change that was acknowledged as on disk, whenever the process is killed', async () => {
    const directory = join(folder.directory, 'killed')
    let acknowledged = 0
    for (let kill = 0; kill < 6; kill += 1) {
      const running = spawn(process.execPath, ['--input-type=module', '-e', child(directory)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const closed = once(running, 'close')
      const enough = acknowledged + 100 + Math.floor(Math.random() * 900)
      for await (const line of createInterface(running.stdout)) {
        acknowledged = Number(line)
        if (acknowledged >= enough) running.kill('SIGKILL')
      }
      await closed
      const table = await loaded(directory)
      expect(table.seq).toBeGreaterThanOrEqual(acknowledged)
      expect([...table.routes()]).toEqual([...expected(table.seq).routes()])
    }
    // It was compacted in between: it has far fewer lines than there were changes.
    const lines = (await readFile(join(directory, 'routes.log'), 'utf8')).split('\n').length
    expect(lines).toBeLessThan(acknowledged / 2)
  })

  test('is valid up to the byte where it was cut', async () => {
    const directory = join(folder.directory, 'whole')
    const table = createHostTable()
    const disk = await openDisk({ now: Date.now, onError: () => {} }, directory, table)
    await disk.keep([1, 2, 3, 4].map(change))
    await disk.close()
    const log = await readFile(join(directory, 'routes.log'))
    const cut = join(folder.directory, 'cut')
    await mkdir(cut, { recursive: true })
    for (let length = 0; length <= log.length; length += 3) {
      await copyFile(join(directory, 'routes.log'), join(cut, 'routes.log'))
      await truncate(join(cut, 'routes.log'), length)
      const lines = log.subarray(0, length).toString().split('\n').length - 1
      expect([...(await loaded(cut)).routes()]).toEqual([...expected(lines).routes()])
    }
  })

  test('is of no use to an edge without a recorded time of contact', async () => {
    const directory = join(folder.directory, 'contact')
    await mkdir(directory, { recursive: true })
    const open = () => openDisk({ now: () => 5_000_000, onError: () => {} }, directory, createHostTable())
    const first = await open()
    expect(first.contactAt).toBeUndefined()
    await first.contacted()
    await first.close()
    const second = await open()
    expect(second.contactAt).toBe(5_000_000)
    await second.close()
    await writeFile(join(directory, 'contact'), '9999999999999\n')
    const third = await open()
    expect(third.contactAt).toBeUndefined()
    await third.close()
  })
})

test('a sealed certificate opens whole, in its own file and for its generation, or not at all', async () => {
  const directory = join(folder.directory, 'flipped')
  const files = await openCertificateFiles(directory, folder.key)
  const kept = {
    hostname: 'a.test',
    generation: '7',
    serial: 'ab12',
    notAfter: 1,
    bundle: Buffer.from('chain and key'),
  }
  await files.write(kept)
  expect(await files.read('a.test', '7')).toEqual(kept)
  expect(await files.read('a.test', '8')).toBeUndefined()
  const [name = ''] = await readdir(join(directory, 'certificates'))
  const path = join(directory, 'certificates', name)
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at += 1) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (at & 7))
    await writeFile(path, bytes)
    expect(await files.read('a.test', '7')).toBeUndefined()
  }
  await writeFile(path, whole)
  expect(await files.read('a.test', '7')).toEqual(kept)
})

test('memory caches the most recently used certificates, up to its limit', async () => {
  const responses = new Map<string, CertificateResponse>()
  const table = createHostTable()
  for (const [index, hostname] of ['a.test', 'b.test', 'c.test'].entries()) {
    const certificate = await makeCertificate(hostname, '1')
    responses.set(hostname, certificate)
    table.apply({ seq: index + 1, hostname, ...siteOf(certificate) })
  }
  const read: string[] = []
  const files = await openCertificateFiles(join(folder.directory, 'few'), folder.key)
  const errors: Error[] = []
  const context = {
    now: Date.now,
    monotonic: () => performance.now(),
    onError: (error: Error) => void errors.push(error),
  }
  const sources: Parameters<typeof createCertificates>[1] = {
    table,
    control: { certificate: async (hostname) => responses.get(hostname) ?? null },
    files: { ...files, read: (hostname, generation) => (read.push(hostname), files.read(hostname, generation)) },
  }
  const certificates = createCertificates(context, sources, 2)
  for (const hostname of ['a.test', 'b.test', 'a.test', 'c.test']) await certificates.find(hostname, 1000)
  expect(read).toEqual(['a.test', 'b.test', 'c.test'])
  expect(certificates.find('a.test', 1000)).toBeInstanceOf(Buffer)
  expect(certificates.find('c.test', 1000)).toBeInstanceOf(Buffer)
  // It is on disk, which is read before the control plane is requested.
  responses.clear()
  await until(async () => (await files.named('b.test')) !== undefined)
  expect(await certificates.find('b.test', 1000)).toBeInstanceOf(Buffer)
  await certificates.stop()
  expect(errors).toEqual([])
})

test('a control plane behind TLS is trusted by its root, and by no other', async () => {
  const [own, foreign] = await Promise.all([
    makeFakeChain({ hostnames: ['localhost'] }),
    makeFakeChain({ hostnames: [] }),
  ])
  const server = createServer({ cert: own.chainPem, key: own.keyPem }, (request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`
    response.writeHead(isKnown ? 200 : 401).end(JSON.stringify({ head: 7, isReset: false, routes: [] }))
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  const controlUrl = `https://localhost:${(server.address() as AddressInfo).port}`
  const ask = async (controlRoots: string | undefined, token = TOKEN) => {
    const identity = { authorize: async () => `Bearer ${token}`, openKey: () => undefined }
    const control = openControl({ controlUrl, controlRoots, identity })
    return control
      .changes({ after: 0, begun: 0, waitMs: 0 }, new AbortController().signal)
      .finally(() => control.close())
  }
  try {
    expect(await ask(own.rootPem)).toEqual({ head: 7, isReset: false, routes: [] })
    await expect(ask(foreign.rootPem)).rejects.toThrow('cannot be asked')
    await expect(ask(undefined)).rejects.toThrow('cannot be asked')
    await expect(ask(own.rootPem, 'stolen')).rejects.toThrow('answered 401')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
