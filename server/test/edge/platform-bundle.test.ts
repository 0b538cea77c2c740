// The operator's certificate for the default addresses, from a file: replaced without a restart, and
// never by a bad one.

import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPlatformBundle } from '../../src/edge/platform-bundle.io.ts'
import { makeFakeChain } from '../../../testbed/harness/fake-chain.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-bundle-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const bundleFor = async (hostname: string, more = {}) => {
  const { chainPem, keyPem } = await makeFakeChain({ hostnames: [hostname], ...more })
  return chainPem + keyPem
}

test('a new file is served soon, a bad one is reported and the previous one stays', async () => {
  const path = join(folder, 'bundle.pem')
  const [first, second] = [await bundleFor('*.shops.example'), await bundleFor('*.shops.example')]
  const errors: string[] = []
  await writeFile(path, first)
  const context = { now: Date.now, onError: ({ message }: Error) => void errors.push(message) }
  const bundles = openPlatformBundle(context, { text: first, path, platformHost: 'shops.example:3080' }, 20)
  const put = async (text: string) => {
    await writeFile(`${path}.new`, text)
    await rename(`${path}.new`, path)
  }
  const served = () => bundles.find('north.shops.example')?.toString()
  try {
    expect(served()).toBe(first)
    await put(second)
    await expect.poll(served, { timeout: 30_000 }).toBe(second)
    const bad = [
      ['no certificate', 'nothing'],
      ['no private key', first.slice(0, first.indexOf('-----BEGIN PRIVATE'))],
      ['not for *.shops.example', await bundleFor('*.other.example')],
      [
        'another certificate',
        (await bundleFor('*.shops.example')).split('-----BEGIN PRIVATE')[0] +
          first.slice(first.indexOf('-----BEGIN PRIVATE')),
      ],
      [
        'has expired',
        await bundleFor('*.shops.example', { notBefore: Date.now() - 9000, notAfter: Date.now() - 1000 }),
      ],
    ] as const
    for (const [reason, text] of bad) {
      errors.length = 0
      await put(text)
      await expect.poll(() => errors.join(), { timeout: 30_000 }).toContain(reason)
      expect(served()).toBe(second)
    }
  } finally {
    bundles.stop()
  }
})

test('only default addresses get it, and a bad one is rejected at the start (negative control)', async () => {
  const text = await bundleFor('*.shops.example')
  const open = (pem: string) =>
    openPlatformBundle(
      { now: Date.now, onError: () => {} },
      { text: pem, path: undefined, platformHost: 'shops.example' },
    )
  const bundles = open(text)
  expect(bundles.find('a.shops.example')).toBeDefined()
  for (const name of ['shops.example', 'a.b.shops.example', 'a.shops.example.evil.example', '.shops.example'])
    expect(bundles.find(name)).toBeUndefined()
  expect(() => open('nothing')).toThrow('it contains no certificate')
})
