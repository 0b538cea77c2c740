// Counts the rows of each table in a dump as text, such as pg_restore prints: every row between COPY and the line that
// ends it. Chunks may end anywhere, and a row may be as long as a photo. Pure.

/** As much of a line as has to be read. */
const HEAD_CHARACTERS = 200

export function countCopiedRows() {
  const rows: Record<string, number> = {}
  let table: string | undefined
  let head = ''
  const endLine = () => {
    if (table === undefined) {
      table = /^COPY public\."?(\w+)"? [^\n]*/.exec(head)?.[1]
      if (table !== undefined) rows[table] ??= 0
    } else if (head === '\\.') {
      table = undefined
    } else {
      rows[table] = (rows[table] ?? 0) + 1
    }
    head = ''
  }
  return {
    push(chunk: Buffer): void {
      let start = 0
      while (start < chunk.length) {
        const newline = chunk.indexOf('\n', start)
        const end = newline === -1 ? chunk.length : newline
        head += chunk.toString('latin1', start, Math.min(end, start + HEAD_CHARACTERS - head.length))
        if (newline === -1) return
        endLine()
        start = newline + 1
      }
    },
    rows: (): Readonly<Record<string, number>> => rows,
  }
}
