import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextStepText, welcomeText } from './welcome.ts'
import { missingPackages } from './programs.ts'

const ready = {
  api: 'http://127.0.0.1:3000/v1',
  docs: 'http://127.0.0.1:3000/docs',
  dashboard: 'http://localhost:3000/',
  platform: 'http://127.0.0.1:3000/platform/v1',
  site: 'http://demo.localhost:3080',
  inbox: 'http://localhost:3025/inbox',
  owner: { email: 'owner@willow-street.example', password: 'secret' },
  apiKey: 'pets_test_x',
}
const plain = { seconds: 2.34, operator: undefined, isRehearsing: false, world: undefined }

test('npm run dev names the next step in one line, and only where there is one', () => {
  expect(nextStepText([])).toBe('npm run world takes a domain to HTTPS on a test internet')
  expect(nextStepText(['knot', 'caddy'])).toBe(
    'npm run world takes a domain to HTTPS on a test internet (needs the Debian packages knot, caddy)',
  )
  const lines = welcomeText(ready, { ...plain, world: nextStepText([]) }).split('\n')
  expect(lines.filter((line) => line.includes('npm run world'))).toEqual([`  Domains     ${nextStepText([])}`])
  expect(welcomeText(ready, plain)).not.toContain('npm run world')
})

test("the operator's commands are shown only if the settings are kept", () => {
  const line = '  Operator    node --env-file=.petstore/petstore.env server/src/main.ts plans set'
  expect(welcomeText(ready, { ...plain, operator: '.petstore/petstore.env' })).toContain(line)
  expect(welcomeText(ready, plain)).not.toContain('Operator')
})

test('packages are missing exactly as long as their programs are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'programs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const all = ['util-linux', 'knot', 'unbound', 'bind9-dnsutils']
  expect(missingPackages('dns', folder)).toEqual(all)
  expect(missingPackages('store', folder)).toEqual([...all, 'pebble', 'caddy', 'openssl'])
  writeFileSync(join(folder, 'knotd'), '')
  expect(missingPackages('dns', folder)).toEqual(all)
  for (const name of ['keymgr', 'knotc', 'unbound']) writeFileSync(join(folder, name), '')
  expect(missingPackages('dns', folder)).toEqual(['util-linux', 'bind9-dnsutils'])
})
