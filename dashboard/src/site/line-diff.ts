// Two texts line by line: what stayed, what went, what came. For texts that people
// wrote, so the plain table of longest common subsequences does; where two texts have
// so little in common that it would take long, they are shown one after the other.

export type DiffLine = { kind: 'same' | 'gone' | 'new'; text: string }

/** Cells of the table that are computed within a moment. */
const CELLS_MAX = 4_000_000

export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const start = old.findIndex((line, index) => line !== fresh[index])
  const head = start === -1 ? Math.min(old.length, fresh.length) : start
  let tail = 0
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1
  return [
    ...old.slice(0, head).map(line('same')),
    ...middle(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)),
    ...old.slice(old.length - tail).map(line('same')),
  ]
}

/** An empty text has no lines; how lines end on another machine is no difference. */
const linesOf = (text: string) => (text === '' ? [] : text.split(/\r\n|\r|\n/))

const line =
  (kind: DiffLine['kind']) =>
  (text: string): DiffLine => ({ kind, text })

function middle(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1
  if (old.length === 0 || fresh.length === 0 || old.length * width > CELLS_MAX)
    return [...old.map(line('gone')), ...fresh.map(line('new'))]
  // How many lines the rests from here on have in common.
  const common = new Uint32Array((old.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))

  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < fresh.length) {
    const [gone, came] = [old[i], fresh[j]]
    if (gone !== undefined && gone === came) {
      lines.push({ kind: 'same', text: gone })
      i += 1
      j += 1
    } else if (gone !== undefined && (came === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'gone', text: gone })
      i += 1
    } else {
      lines.push({ kind: 'new', text: came ?? '' })
      j += 1
    }
  }
  return lines
}
