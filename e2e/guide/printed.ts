// Compares what a program printed with what a document says that it prints. Ports, times,
// durations, dates and temporary paths may differ; a serial number, an id or a key may be
// another one, but the same one in every place where the document has the same. A line
// `…` stands for any lines. Of the steps that `npm run world -- owner watch` prints only the last
// one counts: which of them are seen depends on how fast the machine is. Pure.

/** What stands for what: from the document's token to the printed one. */
export type Tokens = Map<string, string>

export type Compared = { isSame: true } | { isSame: false; why: string }

const LEFT_OUT = '…'

/** New at each start, but the same throughout one. */
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
  // How far the certificate has come by then.
  [/(?<=^ *)step\.certificate_\w+: .*$/g, '<step>'],
]

const general = (line: string): string =>
  varying.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line).trimEnd()

/** As a terminal shows it. */
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

/** Lines of the document with the printed ones that they stand for; null if there is no way. */
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

/** What was printed, in the document's own words where they mean the same: for a diff that people can read. */
export function asDocumented(documented: readonly string[], printed: readonly string[], tokens: Tokens): string[] {
  // Steps are taken as they came: one of before among them would run backwards.
  const old = new Map(documented.filter((line) => !isStep(line)).map((line) => [general(line), line]))
  const names = new Map([...tokens].map(([name, value]) => [value, name]))
  return printed.map((line) => {
    const known = line.replaceAll(token, (value) => names.get(value) ?? value)
    return old.get(general(line)) ?? known.replace(/\/tmp\/\S*?(petstore-world-\d+-\w+)/, '/tmp/$1')
  })
}
