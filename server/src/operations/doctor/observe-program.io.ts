// Observes the program and its machine: versions, the files of the secrets, disk, memory and limits. No secret leaves
// this file.

import { readFileSync, statfsSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Observed } from '../../foundation/finding.ts'
import {
  isExampleSecret,
  isUnencryptedDatabase,
  isUrl,
  secretParts,
  strengthBitsOf,
  type MachineFacts,
  type ProgramFacts,
  type SecretFact,
} from './judge-program.ts'

/** A setting that is a secret and is set; `path` is the file that contains it. */
export type SecretSetting = Readonly<{ name: string; text: string; path: string | undefined }>

export type ProgramSubject = Readonly<{
  sources: ProgramFacts['sources']
  secrets: readonly SecretSetting[]
  /** Where the program writes. */
  directory: string
}>

export const observeProgram = ({ sources, secrets, directory }: ProgramSubject): ProgramFacts => ({
  nodeVersion: process.versions.node,
  sources,
  secrets: secrets.map(observeSecret),
  machine: observeMachine(directory),
})

export function observeSecret({ name, text, path }: SecretSetting): SecretFact {
  const parts = secretParts(text)
  return {
    name,
    path,
    mode: path === undefined ? undefined : modeOf(path),
    strengthBits: parts.length === 0 ? undefined : Math.min(...parts.map(strengthBitsOf)),
    isExample: parts.some(isExampleSecret),
    isPassword: isUrl(text),
    isUnencrypted: isUnencryptedDatabase(text),
  }
}

function modeOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined // it was removed after it was read
  }
}

function observeMachine(wanted: string): Observed<MachineFacts> {
  try {
    const directory = existing(wanted)
    const { bavail, bsize } = statfsSync(directory)
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const openFiles = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ?? '0'
    return {
      value: {
        directory,
        diskFreeBytes: bavail * bsize,
        memoryBytes: totalmem(),
        openFilesMax: openFiles === 'unlimited' ? Infinity : Number(openFiles),
      },
    }
  } catch (error) {
    return { unknown: (error as Error).message }
  }
}

/** The folder itself may be created later. */
function existing(directory: string): string {
  const isThere = statSync(directory, { throwIfNoEntry: false }) !== undefined
  return isThere || directory === dirname(directory) ? directory : existing(dirname(directory))
}
