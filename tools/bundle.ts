// Shared by the builds of the reference and the dashboard: names with a hash, compressed
// files next to the plain ones, and a folder that is rebuilt only if its sources have
// changed. The finished folder replaces the old one at once, so two processes may build
// at the same time, and a server never serves half of one.

import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { build, InlineConfig } from 'vite'

/** Of every file below `folder` in the folder that Vite writes to. */
export const hashedNames = (folder = '') => ({
  hashCharacters: 'hex' as const,
  entryFileNames: join(folder, '[name].[hash:10].js'),
  chunkFileNames: join(folder, '[name].[hash:10].js'),
  assetFileNames: join(folder, '[name].[hash:10][extname]'),
})

/** Runs Vite for production: tests run with another NODE_ENV, with which libraries would include development code. */
export async function buildForPeople(config: InlineConfig): Promise<Awaited<ReturnType<typeof build>>> {
  const { build } = await import('vite') // only when needed: loading it takes longer than all else here
  const before = process.env['NODE_ENV']
  process.env['NODE_ENV'] = 'production'
  try {
    return await build({ ...config, mode: 'production', configFile: false, logLevel: 'error', publicDir: false })
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
}

const STAMP = 'stamp'

/** Fills the folder, unless it was filled from the same sources. Returns true if it had to. */
export async function buildFolder(
  outDir: string,
  stamp: string,
  fill: (folder: string) => Promise<void>,
): Promise<boolean> {
  if ((await stampOf(outDir)) === stamp) return false
  await removeAbandoned(outDir)
  const fresh = `${outDir}.${process.pid}`
  await mkdir(fresh, { recursive: true })
  try {
    await fill(fresh)
    await writeFile(join(fresh, STAMP), stamp)
    await takePlace(fresh, outDir, stamp)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return true
}

/** A digest of files, of their names too; of a folder all that is in it. */
export async function digestOf(root: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files.toSorted()) {
    const bytes = await readFile(file)
    hash.update(`${relative(root, file)} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Quality 10 is within 2 % of the best and takes half the time. What fits into one packet stays as it is. */
export async function compressAll(folder: string): Promise<void> {
  await Promise.all((await readdir(folder)).map((file) => compress(join(folder, file))))
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < 1400) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}

const stampOf = (folder: string): Promise<string | undefined> =>
  readFile(join(folder, STAMP), 'utf8').catch(() => undefined)

async function takePlace(fresh: string, outDir: string, stamp: string): Promise<void> {
  const old = `${outDir}.${process.pid}-old`
  for (let attempt = 1; ; attempt += 1) {
    await rename(outDir, old).catch(() => {})
    try {
      return await rename(fresh, outDir)
    } catch (error) {
      // Another process was quicker: with the same, or with what was there before.
      if ((await stampOf(outDir)) === stamp) return
      if (attempt === 3) throw error
    } finally {
      await rm(old, { recursive: true, force: true })
    }
  }
}

/** What a process that was ended in the middle has left behind. */
async function removeAbandoned(outDir: string): Promise<void> {
  const place = dirname(outDir)
  for (const name of await readdir(place).catch(() => [])) {
    const [, pid] = name.startsWith(`${basename(outDir)}.`) ? (/\.(\d+)(-old)?$/.exec(name) ?? []) : []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(place, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
