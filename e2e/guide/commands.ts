// Extracts shell commands and their documented output from a Markdown document.
//
//   ```sh       commands alone, one per line
//   ```console  commands after `$ `, each followed by its output
//   ```text     after an `sh` block: the output of its last command
//
// A backslash at the end of a line continues a command; ` # …` starts a comment. A line `…` in
// the output stands for omitted lines. Pure.

export type Documented = {
  file: string
  /** Line of the command, from 1. */
  line: number
  command: string
  /** Undefined: the document shows no output. */
  printed: readonly string[] | undefined
  /** Lines of the output in the file, from 0; the end is exclusive. */
  range: readonly [from: number, to: number]
}

/** Languages that the extractor would ignore. */
const otherShells = ['bash', 'shell', 'zsh', 'shellsession', 'sh-session', 'terminal']

export function commandsIn(file: string, markdown: string): Documented[] {
  const lines = markdown.split('\n')
  const found: Documented[] = []
  let isAfterCommands = false
  for (let at = 0; at < lines.length; at++) {
    const language = /^\s*```(\S*)\s*$/.exec(lines[at] ?? '')?.[1]
    if (language === undefined) continue
    const end = lines.findIndex((line, index) => index > at && /^\s*```\s*$/.test(line))
    if (end === -1) throw new Error(`${file}:${at + 1}: this block has no end`)
    if (otherShells.includes(language)) throw new Error(`${file}:${at + 1}: call it sh or console, not ${language}`)
    const block = { file, lines, from: at + 1, to: end }
    if (language === 'sh') found.push(...plainCommands(block))
    if (language === 'console') found.push(...commandsWithOutput(block))
    const last = found.at(-1)
    if (language === 'text' && isAfterCommands && last) found[found.length - 1] = { ...last, ...outputOf(block) }
    isAfterCommands = language === 'sh'
    at = end
  }
  return found
}

type Block = { file: string; lines: readonly string[]; from: number; to: number }

function plainCommands({ file, lines, from, to }: Block): Documented[] {
  const found: Documented[] = []
  for (let at = from; at < to; at++) {
    const { command, next } = commandAt(lines, at, lines[at] ?? '')
    if (command !== '') found.push({ file, line: at + 1, command, printed: undefined, range: [next, next] })
    at = next - 1
  }
  return found
}

function commandsWithOutput({ file, lines, from, to }: Block): Documented[] {
  const found: Documented[] = []
  const isPrompt = (line: string | undefined) => line?.startsWith('$ ') === true
  if (!isPrompt(lines[from])) throw new Error(`${file}:${from + 1}: a console begins with a command after "$ "`)
  for (let at = from; at < to;) {
    const { command, next } = commandAt(lines, at, (lines[at] ?? '').slice(2))
    let end = next
    while (end < to && !isPrompt(lines[end])) end++
    found.push({ file, line: at + 1, command, ...outputOf({ file, lines, from: next, to: end }) })
    at = end
  }
  return found
}

/** Trims empty lines at both ends. */
function outputOf({ lines, from, to }: Block): Pick<Documented, 'printed' | 'range'> {
  let [first, behind] = [from, to]
  while (behind > first && lines[behind - 1]?.trim() === '') behind--
  while (first < behind && lines[first]?.trim() === '') first++
  return { printed: lines.slice(first, behind), range: [first, behind] }
}

function commandAt(lines: readonly string[], at: number, first: string): { command: string; next: number } {
  let [command, next] = [withoutComment(first), at + 1]
  while (command.endsWith('\\')) {
    command = `${command.slice(0, -1).trimEnd()} ${withoutComment(lines[next] ?? '')}`
    next++
  }
  return { command, next }
}

const withoutComment = (line: string): string => line.replace(/(^|\s+)#\s.*$/, '').trim()

/** Replaces documented output in the document; the commands must be of the same document. */
export function rewritten(
  markdown: string,
  changes: readonly { of: Documented; printed: readonly string[] }[],
): string {
  const lines = markdown.split('\n')
  const fromBelow = changes.toSorted((one, other) => other.of.range[0] - one.of.range[0])
  for (const { of, printed } of fromBelow) lines.splice(of.range[0], of.range[1] - of.range[0], ...printed)
  return lines.join('\n')
}
