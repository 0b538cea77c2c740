// The file of a backup: a tar archive of the dump, in PostgreSQL's custom format, and its manifest. Both are where every tar
// program and pg_restore find them; nothing else is needed to use them by hand. The dump is streamed, and never twice on
// the disk.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { parseManifest, type BackupManifest } from './manifest.ts'

const BLOCK = 512
const DUMP = 'database.dump'
const MANIFEST = 'manifest.json'
const blocksOf = (bytes: number) => Math.ceil(bytes / BLOCK) * BLOCK

/** Only its owner can read it: it has the data of everybody. */
export async function writeArchive(
  path: string,
  dump: AsyncIterable<Buffer>,
  manifestOf: (dump: BackupManifest['dump']) => BackupManifest,
): Promise<BackupManifest> {
  const file = await open(path, 'wx', 0o600)
  try {
    const digest = createHash('sha256')
    let bytes = 0
    for await (const chunk of dump) {
      digest.update(chunk)
      await file.write(chunk, 0, chunk.length, BLOCK + bytes)
      bytes += chunk.length
    }
    const manifest = manifestOf({ bytes, sha256: digest.digest('hex') })
    const text = Buffer.from(`${JSON.stringify(manifest, undefined, 1)}\n`)
    const at = BLOCK + blocksOf(bytes)
    await file.write(headerOf(MANIFEST, text.length, manifest.takenAt), 0, BLOCK, at)
    await file.write(text, 0, text.length, at + BLOCK)
    // Two empty blocks end an archive.
    await file.truncate(at + BLOCK + blocksOf(text.length) + 2 * BLOCK)
    await file.write(headerOf(DUMP, bytes, manifest.takenAt), 0, BLOCK, 0)
    await file.sync()
    return manifest
  } finally {
    await file.close()
  }
}

export type Archive = { manifest: BackupManifest; dump: () => Readable; sha256: () => Promise<string> }

export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path)
  try {
    const bytes = await sizeAt(file, 0, DUMP)
    const at = BLOCK + blocksOf(bytes)
    const text = Buffer.alloc(await sizeAt(file, at, MANIFEST))
    await file.read(text, 0, text.length, at + BLOCK)
    const dump = () => createReadStream(path, { start: BLOCK, end: BLOCK + bytes - 1 })
    return {
      manifest: parseManifest(text.toString()),
      dump,
      async sha256() {
        const digest = createHash('sha256')
        for await (const chunk of dump()) digest.update(chunk as Buffer)
        return digest.digest('hex')
      },
    }
  } finally {
    await file.close()
  }
}

const MANIFEST_BYTES_MAX = 10_000_000

async function sizeAt(file: FileHandle, position: number, name: string): Promise<number> {
  const header = Buffer.alloc(BLOCK)
  await file.read(header, 0, BLOCK, position)
  const size = isLong(header) ? Number(header.readBigUInt64BE(128)) : parseInt(header.toString('latin1', 124, 136), 8)
  const isRight =
    header.toString('latin1', 0, 100).replace(/\0+$/, '') === name && (name === DUMP || size < MANIFEST_BYTES_MAX)
  if (!isRight) throw new Error(`This is no backup of Petstore, or a damaged one: ${name} is not where it must be.`)
  return size
}

/** As of eleven octal digits; longer files have their size in binary. */
const LONG_BYTES = 8 ** 11
const isLong = (header: Buffer) => header[124] === 0x80

/** Of an ordinary file. */
function headerOf(name: string, bytes: number, takenAt: string): Buffer {
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  header.write(name, 0)
  header.write(octal(0o600, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  if (bytes < LONG_BYTES) {
    header.write(octal(bytes, 11), 124)
  } else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(bytes), 128)
  }
  header.write(octal(Math.floor(Date.parse(takenAt) / 1000), 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}
