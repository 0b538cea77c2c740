// Runs the commands of a document in order, and compares their output with the documented
// output. A command that is neither listed to be run nor exempt is not run, and fails: a
// document may not contain a command that no test covers.
//
//   UPDATE_DOCS=1   writes the actual output into the document where it differs

import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsIn, rewritten, type Documented } from './commands.ts'
import { asDocumented, compare, linesOf, type Tokens } from './printed.ts'

export type Ran = { code: number; text: string }

export type Guide = {
  /** Commands that this test runs. */
  runs: readonly RegExp[]
  /** Commands that it does not run, with the reason. */
  exempt?: Readonly<Record<string, string>>
  /** Exit codes of commands that do not exit with 0, one per occurrence in the document. */
  codes?: Readonly<Record<string, readonly number[]>>
  run: (command: string) => Promise<Ran>
}

const root = join(import.meta.dirname, '../..')

/** Returns every disagreement between the document and the programs. */
export async function walk(file: string, guide: Guide): Promise<string[]> {
  const markdown = readFileSync(join(root, file), 'utf8')
  const problems = await walkText(file, markdown, guide)
  const isUpdating = process.env['UPDATE_DOCS'] !== undefined
  const changes = problems.flatMap(({ change }) => change ?? [])
  if (isUpdating) writeFileSync(join(root, file), rewritten(markdown, changes))
  return problems.filter(({ change }) => !isUpdating || change === undefined).map(({ text }) => text)
}

/** `change` is the correction of the document. */
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

/** Runs a command in a new shell, which evaluates `words` first; returns stdout and stderr interleaved, as in a terminal. */
export const inShell =
  (words: string, env: NodeJS.ProcessEnv) =>
  (command: string): Promise<Ran> =>
    new Promise((resolve) => {
      const script = `exec 2>&1\n${words}\n${command}\n`
      const child = execFile('bash', ['-c', script], { cwd: root, env }, (_, text) =>
        resolve({ code: child.exitCode ?? -1, text }),
      )
    })

/** A shell function `npm` that runs scripts of package.json directly, without npm's own lines and its half second. */
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
