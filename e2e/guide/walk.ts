// Runs the commands of a document in their order, and holds what they print against what
// the document says. A command that is neither to be run nor exempt is not run, and fails:
// a document may not name a command that no test knows.
//
//   UPDATE_DOCS=1   writes what was printed into the document where it differs

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsIn, rewritten, type Documented } from './commands.ts'
import { asDocumented, compare, linesOf, type Tokens } from './printed.ts'

export type Ran = { code: number; text: string }

export type Guide = {
  /** Commands that this test runs. */
  runs: readonly RegExp[]
  /** Those that it does not run, with the reason. */
  exempt?: Readonly<Record<string, string>>
  /** Those that end otherwise than with 0, as the document shows: each time that it names them. */
  codes?: Readonly<Record<string, readonly number[]>>
  run: (command: string) => Promise<Ran>
}

const root = join(import.meta.dirname, '../..')

/** Every disagreement between the document and the programs. */
export async function walk(file: string, guide: Guide): Promise<string[]> {
  const markdown = readFileSync(join(root, file), 'utf8')
  const problems = await walkText(file, markdown, guide)
  const isUpdating = process.env['UPDATE_DOCS'] !== undefined
  const changes = problems.flatMap(({ change }) => change ?? [])
  if (isUpdating) writeFileSync(join(root, file), rewritten(markdown, changes))
  return problems.filter(({ change }) => !isUpdating || change === undefined).map(({ text }) => text)
}

/** `change` is what the document would have to say. */
export type Problem = { text: string; change?: { of: Documented; printed: readonly string[] } }

export async function walkText(file: string, markdown: string, guide: Guide): Promise<Problem[]> {
  const { exempt = {}, codes = {} } = guide
  const documented = commandsIn(file, markdown)
  const superfluous = Object.keys({ ...exempt, ...codes }).filter(
    (command) => !documented.some((one) => one.command === command),
  )
  const problems: Problem[] = superfluous.map((command) => ({
    text: `${file} has no command that is listed: ${command}`,
  }))
  const tokens: Tokens = new Map()
  for (const [index, one] of documented.entries()) {
    if (exempt[one.command] !== undefined) continue
    const times = documented.slice(0, index).filter(({ command }) => command === one.command).length
    const problem = await problemWith(one, { ...guide, code: codes[one.command]?.[times] ?? 0 }, tokens)
    if (problem) problems.push({ ...problem, text: `${file}:${one.line}: ${one.command}\n${problem.text}` })
  }
  return problems
}

type Expected = Pick<Guide, 'runs' | 'run'> & { code: number }

async function problemWith(of: Documented, expected: Expected, tokens: Tokens): Promise<Problem | null> {
  const { command, printed } = of
  const { runs, run } = expected
  if (!runs.some((known) => known.test(command)))
    return { text: 'No test knows this command: run it, or list it with the reason why not.' }
  const { code, text } = await run(command)
  if (code !== expected.code) return { text: `ended with ${code}, not ${expected.code}:\n${text}` }
  if (printed === undefined) return null
  const had = linesOf(text)
  const compared = compare(printed, had, tokens)
  if (compared.isSame) return null
  return { text: compared.why, change: { of, printed: asDocumented(printed, had, tokens) } }
}

/** In a shell of its own, which reads `words` first; what is printed and what is complained about, as in a terminal. */
export const inShell =
  (words: string, env: NodeJS.ProcessEnv) =>
  (command: string): Promise<Ran> =>
    new Promise((resolve) => {
      const script = `exec 2>&1\n${words}\n${command}\n`
      const child = execFile('bash', ['-c', script], { cwd: root, env }, (_, text) =>
        resolve({ code: child.exitCode ?? -1, text }),
      )
    })

/** `npm run` without npm's own lines and half a second: what package.json says is run. */
export function npmWords(...names: readonly string[]): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const cases = names.map((name) => `${name}) ${scripts[name]} "$@" ;;`)
  return `npm() {
  [ "$1" = run ] || return 64
  local name="$2"; shift 2; [ "$1" != -- ] || shift
  case "$name" in ${cases.join(' ')} *) return 64 ;; esac
}`
}
