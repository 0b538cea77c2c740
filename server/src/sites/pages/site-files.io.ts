// Reads the files that all sites share from the disk, each once.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteFile } from './site-files.ts'

const folder = join(import.meta.dirname, '../../../assets')
const known = new Map<SiteFile, Buffer>()

export function readSiteFile(file: SiteFile): Buffer {
  let bytes = known.get(file)
  if (!bytes) known.set(file, (bytes = readFileSync(join(folder, file))))
  return bytes
}
