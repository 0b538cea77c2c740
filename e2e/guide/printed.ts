// Compares the output of a program with its documented output. Pure.
// - Ports, times, durations, dates and temporary paths may differ.
// - A serial number, an id or a key may differ, but must be the same wherever the document has
//   the same one.
// - A line `…` stands for any lines.
// - Of the steps that `npm run world -- owner watch` prints, only the last one counts: which of
//   them appear depends on the speed of the machine.

/** Maps tokens of the document to printed tokens. */
export type Tokens = Map<string, string>

export type Compared = { isSame: true } | { isSame: false; why: string }

const LEFT_OUT = '…'

/** Tokens that differ between runs, but are constant within one. */
const token = /(?<=serial )[0-9a-f]{8,}|\bedg_[0-9a-f]+|(?<=Intermediate CA )[0-9a-f]+|\bpets_test_[\w…]+/g

const varying: readonly (readonly [RegExp, string])[] = [
  [token, '<token>'],
  [/\b[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4} GMT/g, '<time>'],
  [/\b20\d\d-\d\d-\d\d\b/g, '<day>'],
  [/\b\d\d:\d\d(:\d\d)?\b/g, '<time>'],
  [/\b\d+ ms\b/g, '<duration>'],
  [/(^ *|\b)\d+\.\d s\b/g, '<duration>'],
  [/\/tmp\/\S*?petstore-world-\d+-\w+/g, '<folder>'],
  [/(?<=--env-file=)\S+/g, '<file>'],
  [/(?<=localhost|\d\.\d+):\d{4,5}\b/g, ':<port>'],
  [/\bport \d{4,5}\b/g, 'port <port>'],
  [/(?<=OpenSSL\/)[\d.]+/g, '<version>'],
  // The progress of the certificate at that moment.
  [/(?<=^ *)step\.certificate_\w+: .*$/g, '<step>'],
]

const general = (line: string): string =>
  varying.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line).trimEnd()

/** Lines as a terminal shows them. */
export const linesOf = (text: string): string[] => {
  const lines = text
    .replaceAll('\r', '')
    .split('\n')
    .map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  return lines
}

export function compare(documented: readonly string[], printed: readonly string[], tokens: Tokens): Compared {
  const [wanted, had] = [lastSteps(documented), lastSteps(printed)]
  const pairs = aligned(wanted, had)
  if (pairs === null) return { isSame: false, why: differenceOf(wanted, had) }
  for (const [one, other] of pairs) {
    const others = other.match(token) ?? []
    for (const [index, name] of (one.match(token) ?? []).entries()) {
      const value = others[index] ?? ''
      const before = tokens.get(name) ?? value
      if (before !== value) return { isSame: false, why: `${name} was ${before} before and is ${value} now:\n${other}` }
      tokens.set(name, value)
    }
  }
  return { isSame: true }
}

const isStep = (line: string | undefined) => line !== undefined && /^ *\d+\.\d s {2}/.test(line)
const lastSteps = (lines: readonly string[]): string[] =>
  lines.filter((line, index) => !(isStep(line) && isStep(lines[index + 1])))

/** Pairs lines of the document with printed lines; null if they do not match. */
function aligned(wanted: readonly string[], had: readonly string[]): [string, string][] | null {
  const [first, ...rest] = wanted
  if (first === undefined) return had.length === 0 ? [] : null
  if (first.trim() === LEFT_OUT) {
    for (let left = 0; left <= had.length; left++) {
      const found = aligned(rest, had.slice(left))
      if (found) return found
    }
    return null
  }
  const [line, ...others] = had
  if (line === undefined || general(first) !== general(line)) return null
  const found = aligned(rest, others)
  return found && [[first, line], ...found]
}

function differenceOf(wanted: readonly string[], had: readonly string[]): string {
  const shown = (lines: readonly string[], sign: string) => lines.map((line) => `${sign} ${general(line)}`).join('\n')
  return `${shown(wanted, '-')}\n${shown(had, '+')}`
}

/** The output, with lines of the document where they are equivalent, for a readable diff. */
export function asDocumented(documented: readonly string[], printed: readonly string[], tokens: Tokens): string[] {
  // Steps are taken from the output: a step of the document among them could break their time order.
  const old = new Map(documented.filter((line) => !isStep(line)).map((line) => [general(line), line]))
  const names = new Map([...tokens].map(([name, value]) => [value, name]))
  return printed.map((line) => {
    const known = line.replaceAll(token, (value) => names.get(value) ?? value)
    return old.get(general(line)) ?? known.replace(/\/tmp\/\S*?(petstore-world-\d+-\w+)/, '/tmp/$1')
  })
}
