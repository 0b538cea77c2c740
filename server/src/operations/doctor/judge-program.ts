// Judges the program itself and its machine: Node, the sources of the settings, the secrets, and the resources. Pure.
// Checks 1, 10, 11, 26 and 33.

import { error, judged, warning, type Finding, type Observed } from '../../foundation/finding.ts'

export type SecretFact = Readonly<{
  name: string
  /** The file with the value alone, or the configuration file; undefined if it is in the environment. */
  path: string | undefined
  /** Permission bits of that file. */
  mode: number | undefined
  /** Bits of what an attacker would have to guess; undefined if that is not for us to judge, such as a PEM. */
  strengthBits: number | undefined
  isExample: boolean
  /** A password in a URL: it protects another server, which may be out of reach for others. */
  isPassword: boolean
  /** The address of a database on another machine, without encryption. */
  isUnencrypted: boolean
}>

export type MachineFacts = Readonly<{
  directory: string
  diskFreeBytes: number
  memoryBytes: number
  openFilesMax: number
}>

export type ProgramFacts = Readonly<{
  nodeVersion: string
  /** Mistakes and warnings about names in the sources of the settings. */
  sources: Readonly<{ mistakes: readonly string[]; warnings: readonly string[] }>
  secrets: readonly SecretFact[]
  machine: Observed<MachineFacts>
}>

export const judgeProgram = ({ nodeVersion, sources, secrets, machine }: ProgramFacts): readonly Finding[] => [
  ...judgeNode(nodeVersion),
  ...sources.mistakes.map((sentence) => error(10, sentence, 'Correct or remove the name.')),
  ...sources.warnings.map((sentence) => warning(10, sentence, 'Correct or remove the name.')),
  ...secrets.flatMap(judgeSecret),
  ...judged(26, 'The machine', machine, judgeMachine),
]

/** The oldest Node that runs this program, as in package.json. */
const OLDEST_NODE = [24, 15] as const

function judgeNode(version: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
  return isNew ? [] : [error(1, `This is Node ${version}.`, `Use Node ${OLDEST_NODE.join('.')} or newer.`)]
}

const READABLE_BY_OTHERS = 0o007
const STRENGTH_BITS_MIN = 64

export function judgeSecret({
  name,
  path,
  mode,
  strengthBits,
  isExample,
  isPassword,
  isUnencrypted,
}: SecretFact): readonly Finding[] {
  const isOpen = mode !== undefined && (mode & READABLE_BY_OTHERS) !== 0
  return [
    ...(isUnencrypted
      ? [
          warning(
            33,
            `${name} leads to another machine, and has no sslmode: passwords and data may cross the network as they are.`,
            'Append ?sslmode=require to it, or verify-full with sslrootcert.',
          ),
        ]
      : []),
    ...(isOpen
      ? [
          warning(
            11,
            `Every user of this machine can read ${name} in ${path}.`,
            `Run: chgrp petstore ${path} && chmod 640 ${path}`,
          ),
        ]
      : []),
    ...(isExample
      ? [
          (isPassword ? warning : error)(
            11,
            `${name} is an example, not a secret.`,
            `Generate another one, such as by: openssl rand -base64 32`,
          ),
        ]
      : strengthBits !== undefined && strengthBits < STRENGTH_BITS_MIN
        ? [warning(11, `${name} can be guessed: it is too short.`, 'Use a generated one of at least 16 characters.')]
        : []),
  ]
}

/** What documents and people write where a secret belongs. */
export function isExampleSecret(text: string): boolean {
  const plain = text.toLowerCase()
  return (
    /^(change.?me|secret|password|passwort|hunter2|petstore|postgres|example|test|admin|x+|\.\.\.|…)\d*$/.test(plain) ||
    plain.includes('…') ||
    /^(.)\1{7,}=?$/.test(text)
  )
}

export const isUrl = (text: string): boolean => text.includes('://') && URL.canParse(text)

/** A socket has none. */
export const isLocalHost = (hostname: string): boolean => /^(|localhost|127\..*|\[?::1\]?)$/.test(hostname)

/** Without `sslmode` a connection is not encrypted; an operator who writes `disable` knows it. */
export function isUnencryptedDatabase(text: string): boolean {
  if (!/^postgres(ql)?:/.test(text) || !URL.canParse(text)) return false
  const { hostname, searchParams } = new URL(text)
  return !searchParams.has('sslmode') && !isLocalHost(hostname)
}

/** The parts of a setting that must be hard to guess; none of a PEM, whose mode is judged alone. */
export function secretParts(text: string): readonly string[] {
  if (text.includes('-----BEGIN')) return []
  if (isUrl(text)) {
    const { password } = new URL(text)
    return password === '' ? [] : [decodeURIComponent(password)]
  }
  // Several keys, each with its id.
  return text.split(',').map((item) => /^[\w.-]{1,32}=(.{40,})$/.exec(item.trim())?.[1] ?? item.trim())
}

/** Of a text that may have been generated from its own alphabet. */
export const strengthBitsOf = (text: string): number => text.length * Math.log2(Math.max(1, new Set(text).size))

const GIGABYTE = 1e9
const DISK_MIN = GIGABYTE
const MEMORY_MIN = 0.7 * GIGABYTE
const OPEN_FILES_MIN = 4096

const judgeMachine = ({ directory, diskFreeBytes, memoryBytes, openFilesMax }: MachineFacts): readonly Finding[] => [
  ...(diskFreeBytes < DISK_MIN
    ? [warning(26, `${directory} has ${gigabytes(diskFreeBytes)} GB left.`, 'Free at least 1 GB, or add storage.')]
    : []),
  ...(memoryBytes < MEMORY_MIN
    ? [warning(26, `This machine has ${gigabytes(memoryBytes)} GB of memory.`, 'Use a machine with 1 GB or more.')]
    : []),
  ...(openFilesMax < OPEN_FILES_MIN
    ? [
        warning(
          26,
          `A process may open ${openFilesMax} files; each visitor needs one.`,
          `Raise the limit to ${OPEN_FILES_MIN} or more: LimitNOFILE in the unit, or ulimit -n.`,
        ),
      ]
    : []),
]

const gigabytes = (bytes: number) => (bytes / GIGABYTE).toFixed(1)
