// What every experiment ends with: its figures and what is wrong with them, as lines or, with --json, as one JSON value;
// and the exit code.

type Figures = object
type Fault = string | null | undefined

/** The exit code is 1 if there is a fault. */
export function conclude({ json = false }: { json?: boolean }, figures: Figures, ...found: readonly Fault[]): void {
  const faults = found.filter((fault) => typeof fault === 'string')
  const failed = faults.map((fault) => `FAILED: ${fault}`)
  const lines = json ? [JSON.stringify({ ...figures, faults })] : [...linesOf(figures), ...failed]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (faults.length > 0) process.exitCode = 1
}

/** For a test, whose output shows by how much a limit was kept. */
export const printFigures = (figures: Figures): void => void process.stdout.write(`${linesOf(figures).join('\n')}\n`)

/** More entries of a list would be read by nobody. */
const ENTRIES_MAX = 20

/** A line for each figure, and for each entry of a list. */
function linesOf(figures: Figures, prefix = ''): string[] {
  return Object.entries(figures).flatMap(([name, value]: [string, unknown]) => {
    const path = `${prefix}${name}`
    if (!Array.isArray(value) && isObject(value)) return linesOf(value, `${path}.`)
    if (!Array.isArray(value) || !value.some(isObject)) return [`${path}: ${shown(value)}`]
    const lines = value.slice(0, ENTRIES_MAX).map((entry) => `${path}: ${shown(entry)}`)
    return value.length > ENTRIES_MAX ? [...lines, `${path}: ${value.length} in all`] : lines
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function shown(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 100) / 100)
  if (Array.isArray(value)) return value.map(shown).join(', ')
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, one]: [string, unknown]) => `${name} ${shown(one)}`)
    .join(', ')
}
