// The configuration as an operator writes it: a file, a folder of secrets, and the environment.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '../../../testbed/harness/process.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-configuration-'))
  mkdirSync(join(directory, 'secrets'))
  writeFileSync(join(directory, 'secrets', 'DATABASE_URL'), 'postgresql://petstore_app:hunter2@db.example/petstore\n')
  writeFileSync(join(directory, 'secrets', 'unrelated'), 'of another program')
  writeFileSync(join(directory, 'probe'), 'p'.repeat(32))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const inFolder = (name: string) => join(directory, name)

async function printed(lines: readonly string[], env: Record<string, string> = {}) {
  const file = inFolder('petstore.env')
  writeFileSync(file, lines.join('\n'))
  const { code, output, errors } = await runProgram(['config', 'print', '--json', '--config', file], env).ended
  const { settings, mistakes } = JSON.parse(output) as {
    settings: { name: string; value: string | null; origin: string; path?: string }[]
    mistakes: string[]
  }
  const settingOf = (name: string) => settings.find((one) => one.name === name)
  return { code, output, errors, mistakes, settingOf, file }
}

test('settings come from the file, from files with secrets, and from the environment', async () => {
  const lines = [
    '# A comment',
    'BASE_URL="https://app.shop.example/v1"',
    'PORT=4000',
    `SECRETS_DIRECTORY=${inFolder('secrets')}`,
    `PROBE_SECRET_FILE=${inFolder('probe')}`,
  ]
  const { code, output, errors, mistakes, settingOf, file } = await printed(lines, { PORT: '5000', PROT: '1' })
  expect({ code, mistakes }).toEqual({ code: 0, mistakes: [] })
  expect(settingOf('BASE_URL')).toMatchObject({ value: 'https://app.shop.example/v1', origin: 'file', path: file })
  expect(settingOf('PORT')).toEqual({ name: 'PORT', value: '5000', origin: 'environment' })
  expect(settingOf('HOST')).toEqual({ name: 'HOST', value: '127.0.0.1', origin: 'default' })
  expect(settingOf('DATABASE_URL')).toEqual({
    name: 'DATABASE_URL',
    value: '[secret]',
    origin: 'secrets directory',
    path: inFolder('secrets/DATABASE_URL'),
  })
  expect(settingOf('PROBE_SECRET')).toMatchObject({ value: '[secret]', path: inFolder('probe') })
  expect(output).not.toMatch(/hunter2|pppp/)
  expect(errors).toBe('Warning: PROT in the environment is not a setting. Did you mean PORT?\n')
})

test('an unknown name in the file is a mistake, which ends every command (negative control)', async () => {
  const { code, mistakes, file } = await printed(['BASE_ULR=x', 'DATABASE_URL=postgresql://petstore_app@db/petstore'])
  expect({ code, mistakes }).toEqual({
    code: 1,
    mistakes: [`BASE_ULR in ${file} is not a setting. Did you mean BASE_URL?`],
  })
  const served = await runProgram(['serve', '--config', file], {}).ended
  expect(served).toMatchObject({ code: 1, errors: expect.stringContaining('Did you mean BASE_URL?') })
})
