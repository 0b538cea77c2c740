// `npm run world` and `npm run world -- zone` as a person uses them: two programs that find each
// other, and readable messages for mistakes.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { question } from '../dns-query.ts'
import { parseZoneCommand } from '../zone-command.ts'
import { childEnv } from '../../harness/child-env.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

test('a person can start the test internet, edit a zone as the registrar, and stop it', async () => {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'editor-'))
  onTestFinished(() => rmSync(TMPDIR, { recursive: true, force: true }))
  const env = { ...childEnv, TMPDIR }
  const zone = (...words: string[]): Promise<{ code: number; text: string }> =>
    new Promise((done) => {
      execFile(process.execPath, [program, 'zone', ...words], { env }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), text: (stdout + stderr).trim() }),
      )
    })
  expect(await zone('willow-street.test')).toEqual({
    code: 1,
    text: 'No world runs. Start one in another terminal: npm run world',
  })

  const running = spawn(process.execPath, [program, '--dns', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void running.kill('SIGKILL'))
  const [line] = (await once(createInterface(running.stdout), 'line')) as [string]
  const { ports } = JSON.parse(line) as { ports: { resolver: number } }
  const [state = ''] = readdirSync(TMPDIR).filter((name) => name.endsWith('.json'))
  expect(statSync(join(TMPDIR, state)).mode & 0o077).toBe(0)

  const target = async () => {
    const answer = await question({
      address: '127.0.53.53',
      port: ports.resolver,
      name: 'shop.willow-street.test',
      type: 'CNAME',
      rd: true,
    })
    return answer?.answers?.map((record) => ('data' in record ? record.data : ''))
  }
  expect(await target()).toEqual([])
  expect((await zone('willow-street.test', 'show')).text).toContain('shop.willow-street.test. 60 A 127.0.80.10')
  expect((await zone('willow-street.test', 'set', 'shop', 'CNAME', 'happy-paws.petstore.test')).text).toContain(
    'has been saved',
  )
  expect(await target()).toEqual(['happy-paws.petstore.test'])
  expect((await zone('willow-street.test', 'remove', 'shop')).text).toContain('has been removed')
  expect(await target()).toEqual([])
  const mistake = await zone('nowhere.test', 'show')
  expect(mistake.code).toBe(1)
  expect(mistake.text).toContain('There is no zone nowhere.test to edit. There are: petstore.test, willow-street.test')

  running.kill('SIGINT')
  expect(await once(running, 'exit')).toEqual([0, null])
  expect(readdirSync(TMPDIR)).toEqual([])
})

const parse = (...words: string[]) => parseZoneCommand('willow-street.test', words)

test('names may be relative, absolute or @', () => {
  const lineOf = (name: string) => parse('add', name, 'A', '192.0.2.1')
  for (const name of ['shop', 'Shop.willow-street.test', 'shop.willow-street.test.']) {
    expect(lineOf(name)).toMatchObject({ edit: { add: ['shop.willow-street.test. A 192.0.2.1'] } })
  }
  expect(lineOf('@')).toMatchObject({ edit: { add: ['willow-street.test. A 192.0.2.1'] } })
  expect(lineOf('shop.elsewhere.test.')).toMatchObject({
    kind: 'mistake',
    say: 'shop.elsewhere.test. is not in willow-street.test.',
  })
})

test('setting a record replaces records that cannot coexist with it', () => {
  expect(parse('set', 'shop', 'CNAME', 'a.test')).toMatchObject({
    edit: { remove: ['shop.willow-street.test.'], add: ['shop.willow-street.test. CNAME a.test.'] },
  })
  expect(parse('set', 'shop', 'txt', 'two', 'words')).toMatchObject({
    edit: {
      remove: ['shop.willow-street.test. TXT', 'shop.willow-street.test. CNAME'],
      add: ['shop.willow-street.test. TXT "two words"'],
    },
  })
})

test.each([
  [['fly'], 'not something that can be done'],
  [['set'], 'Which name'],
  [['set', 'shop'], 'Which record?'],
  [['set', 'shop', 'WKS', 'x'], 'no type of record'],
  [['set', 'shop', 'A', 'happy-paws.petstore.test'], 'holds an IPv4 address'],
  [['set', 'shop', 'AAAA', '192.0.2.1'], 'holds an IPv6 address'],
  [['set', '@', 'CAA', 'letsencrypt.org'], 'A CAA record is written as in'],
  [['set', '@', 'MX', 'mail'], 'An MX record is written as in'],
])('the mistake %j is answered with a sentence', (words, sentence) => {
  expect(parse(...words)).toMatchObject({ kind: 'mistake', say: expect.stringContaining(sentence) })
})
