// Prometheus, and promtool, which checks and evaluates rules as it does, from Debian's package, unpacked and not installed.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unpackPackages } from './debian-packages.ts'

const folder = join(import.meta.dirname, '../../.tools/prometheus')
const promtool = join(folder, 'usr/bin/promtool')
export const prometheus = join(folder, 'usr/bin/prometheus')

/** Needs root on Debian; downloads 19 MB once. */
export function unpackPrometheus(): void {
  if (!existsSync(promtool)) unpackPackages(folder, () => ['prometheus'])
}

/** Prints what it checked; throws with what it found. */
export const runPromtool = (...args: string[]): string => execFileSync(promtool, args, { encoding: 'utf8' })
