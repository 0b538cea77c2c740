// Moves tombstones from the database to files in TOMBSTONES_DIRECTORY, which is on another machine: they must survive what
// the database does not. A row is deleted in the transaction in which its line reached the disk, so with a full disk, or a
// machine that is away, rows wait, and none is lost; a line may come twice. One process writes at a time.

import { mkdir, open, readdir, readFile, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { query, type Database } from '../../foundation/postgres/postgres.io.ts'
import { BEGIN, fileOfDay, parseTombstones, tombstoneFiles, type Tombstone } from './tombstones.ts'

const AT_ONCE = 1000

const takeTombstones = query<{ one: Tombstone }, [atMost: number], Tombstone[]>(
  'take-tombstones',
  `select take_tombstones($1) as one`,
  (rows) => rows.map(({ one }) => one),
)

/** All that there are. */
export async function writeTombstones(
  database: Pick<Database, 'transaction'>,
  folder: string,
  now: number,
): Promise<void> {
  const writeSome = () =>
    database.transaction({}, async (db) => {
      const lines = await takeTombstones(db, AT_ONCE)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const at = lines[0]?.at ?? new Date(now).toISOString()
      if (tombstoneFiles(await readdir(folder)).length === 0)
        lines.unshift({ at, kind: BEGIN, subject: '', project: null, endsAt: null })
      if (lines.length > 0) await append(join(folder, fileOfDay(now)), lines)
      return lines.length
    })
  while ((await writeSome()) >= AT_ONCE);
}

async function append(path: string, lines: readonly Tombstone[]): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    if (!(await endsInLine(file))) await file.truncate((await file.readFile()).lastIndexOf('\n') + 1)
    await file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await file.sync()
  } finally {
    await file.close()
  }
}

/** False if a process was killed while it wrote. Only the last byte is read: the file grows all day. */
async function endsInLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat()
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
  return size === 0 || buffer.toString() === '\n'
}

/** In the order of days. */
export async function readTombstones(folder: string): Promise<readonly Tombstone[]> {
  const names = tombstoneFiles(await readdir(folder))
  const read = async (name: string) => parseTombstones(await readFile(join(folder, name), 'utf8'), name)
  return (await Promise.all(names.map(read))).flat()
}
