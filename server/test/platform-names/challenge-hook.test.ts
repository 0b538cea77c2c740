// The operator's executable that changes TXT records.

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHook } from '../../src/platform-names/challenge-hook.io.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-hook-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const hookOf = async (script: string) => {
  const path = join(folder, `hook-${script.length}`)
  await writeFile(path, `#!/bin/sh\n${script}\n`)
  await chmod(path, 0o700)
  return openHook(path)
}

test('it is called with the action, the name and the value', async () => {
  const seen = join(folder, 'seen')
  const change = await hookOf(`echo "$@" >> ${seen}`)
  expect(await change('add', '_acme-challenge.shops.example', 'value; $(id)')).toBeUndefined()
  expect(await change('remove', '_acme-challenge.shops.example', 'value')).toBeUndefined()
  expect(await readFile(seen, 'utf8')).toBe(
    'present _acme-challenge.shops.example value; $(id)\ncleanup _acme-challenge.shops.example value\n',
  )
})

test('one that fails, or does not exist, is reported in words (negative control)', async () => {
  const change = await hookOf('echo "no such zone" >&2; exit 3')
  expect(await change('add', 'x.example', 'value')).toMatch(/^The hook .* failed to present x\.example: no such zone$/)
  expect(await openHook(join(folder, 'none'))('remove', 'x.example', 'value')).toMatch(/failed to cleanup .*ENOENT/)
})
