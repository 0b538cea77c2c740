// Tests of the guide runner: the commands that it extracts, and the problems that it reports
// where a document and the programs disagree. Also a rule for every document of the
// repository.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsIn, rewritten } from './commands.ts'
import { asDocumented, compare, linesOf } from './printed.ts'
import { walkText, type Guide } from './walk.ts'

const fence = '```'
const guide = `# Guide

${fence}sh
npm ci          # once
curl -H 'A: b' \\
     "$API/pets"
${fence}

${fence}console
$ owner show shop
shop: live
  serial 36d91df9b2fc4ce2, valid until 2027-02-13
…
  next check 10:20:03

$ owner show www
www: live
  serial 36d91df9b2fc4ce2, valid until 2027-02-13
${fence}

${fence}sql
select 1
${fence}
`

const show = (host: string, serial: string) => `${host}: live\n  serial ${serial}, valid until 2030-01-01\n`
const outputs: Readonly<Record<string, string>> = {
  [`curl -H 'A: b' "$API/pets"`]: '[]\n',
  'owner show shop': `${show('shop', 'aaaaaaaaaaaaaaaa')}  more\n  next check 23:59:59\n`,
  'owner show www': show('www', 'aaaaaaaaaaaaaaaa'),
}
const known = (more: Partial<Guide> & { answers?: Record<string, string> } = {}): Guide => ({
  runs: [/^curl /, /^owner /],
  exempt: { 'npm ci': 'CI begins with it' },
  run: (command) => {
    const text = { ...outputs, ...more.answers }[command]
    return Promise.resolve(text === undefined ? { code: 127, text: '' } : { code: 0, text })
  },
  ...more,
})
const problemsOf = async (text: string, how = known()) => (await walkText('guide.md', text, how)).map((one) => one.text)

test('commands are extracted with their line and output, without comments', () => {
  expect(commandsIn('guide.md', guide).map(({ line, command, printed }) => ({ line, command, printed }))).toEqual([
    { line: 4, command: 'npm ci', printed: undefined },
    { line: 5, command: `curl -H 'A: b' "$API/pets"`, printed: undefined },
    { line: 10, command: 'owner show shop', printed: guide.split('\n').slice(10, 14) },
    { line: 16, command: 'owner show www', printed: guide.split('\n').slice(16, 18) },
  ])
  const text = `${fence}sh\nnpm run dev\n${fence}\nprints\n${fence}text\nready\n${fence}\n`
  expect(commandsIn('a.md', text)).toMatchObject([{ command: 'npm run dev', printed: ['ready'] }])
})

test('a correct document has no problems', async () => {
  expect(await problemsOf(guide)).toEqual([])
})

test('an unknown command is a problem, and is not run', async () => {
  const more = `${guide}\n${fence}sh\nrm -rf everything\n${fence}\n`
  const run = (command: string) => {
    if (command.startsWith('rm')) throw new Error('it was run')
    return known().run(command)
  }
  expect(await problemsOf(more, known({ run }))).toEqual([expect.stringMatching(/^guide\.md:26: rm .*\nNo test knows/)])
  expect(() => commandsIn('a.md', `${fence}bash\nls\n${fence}\n`)).toThrow('a.md:1: call it sh or console, not bash')
  expect(() => commandsIn('a.md', `${fence}console\nls\n${fence}\n`)).toThrow('begins with a command')
})

test('a different output, a different exit code and an exemption without a command are problems', async () => {
  const changed = { 'owner show shop': outputs['owner show shop']?.replace('live', 'paused') ?? '' }
  expect(await problemsOf(guide, known({ answers: changed }))).toEqual([expect.stringContaining('+ shop: paused')])
  const shorter = { 'owner show www': 'www: live\n' }
  expect(await problemsOf(guide, known({ answers: shorter }))).toHaveLength(1)
  expect(await problemsOf(guide, known({ codes: { 'owner show www': [1] } }))).toEqual([
    expect.stringContaining('ended with 0, not 1'),
  ])
  expect(await problemsOf(guide, known({ exempt: { 'npm ci': 'CI', 'npm test': 'CI' } }))).toEqual([
    'guide.md has no command that is listed: npm test',
  ])
})

test('a serial number may differ from the document, but must be consistent within the output', async () => {
  const other = { 'owner show www': show('www', 'bbbbbbbbbbbbbbbb') }
  expect(await problemsOf(guide, known({ answers: other }))).toEqual([
    expect.stringContaining('was aaaaaaaaaaaaaaaa before and is bbbbbbbbbbbbbbbb now'),
  ])
})

test('only times, ports, durations and folders may differ from the document', () => {
  const same = (documented: string, printed: string) => compare([documented], [printed], new Map()).isSame
  expect(same('   time           28 ms', '   time           5 ms')).toBe(true)
  expect(same('Petstore is running (ready in 2.3 s)', 'Petstore is running (ready in 14.1 s)')).toBe(true)
  expect(same('*  expire date: Feb 13 10:19:58 2027 GMT', '*  expire date: Mar  1 00:00:00 2030 GMT')).toBe(true)
  expect(same('API  http://127.0.0.1:3000/v1', 'API  http://127.0.0.1:41234/v1')).toBe(true)
  expect(same('. /tmp/petstore-world-24574-R1oR4x/world.sh', '. /tmp/petstore-world-1-AbCdEf/world.sh')).toBe(true)
  expect(same('HTTP/2 200', 'HTTP/2 421')).toBe(false)
  expect(same('TTL 3600', 'TTL 60')).toBe(false)
  expect(same('shop  A 127.0.80.10', 'shop  A 127.0.80.11')).toBe(false)
  const steps = ['  0.1 s  issuing', '  0.4 s  live']
  expect(compare(steps, ['  9.9 s  live'], new Map())).toEqual({ isSame: true })
  expect(compare(steps, ['  0.1 s  issuing'], new Map())).toMatchObject({ isSame: false })
})

test('an updated document keeps its own times and numbers', () => {
  const [, , shop] = commandsIn('guide.md', guide)
  if (!shop?.printed) throw new Error('it has an output')
  const printed = linesOf(`${show('shop', 'aaaaaaaaaaaaaaaa')}  primary\n  next check 23:59:59\n`)
  const lines = asDocumented(shop.printed, printed, new Map())
  expect(rewritten(guide, [{ of: shop, printed: lines }])).toBe(guide.replace('\n…\n', '\n  primary\n'))
})

/** Calls of the program by a name that the shell does not know, or that is another package of the npm registry. */
const unrunnable = (file: string, markdown: string): string[] => {
  const named = markdown.match(/\b(npx|npm exec|npm install -g) (-- )?petstore\b/g) ?? []
  // In the guides, `petstore` is a shell function of the test internet; operators have installed a release.
  const isKnown = file.startsWith('docs/try-') || file === 'docs/operations.md'
  const bare = commandsIn(file, markdown).filter(({ command }) => !isKnown && /^petstore\b/.test(command))
  return [...named, ...bare.map(({ command }) => command)].map((what) => `${file}: ${what}`)
}

test('no document calls the program by a name that only a release would have', () => {
  const root = join(import.meta.dirname, '../..')
  const others = ['node_modules', '.tools', '.petstore', '.git']
  const files = globSync('**/*.md', {
    cwd: root,
    exclude: (path) => others.some((name) => path.split('/').includes(name)),
  })
  expect(files).toContain('docs/operations.md')
  expect(files.flatMap((file) => unrunnable(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
  expect(unrunnable('a.md', `\`npx petstore serve\`\n${fence}sh\npetstore work\n${fence}\n`)).toEqual([
    'a.md: npx petstore',
    'a.md: petstore work',
  ])
})
