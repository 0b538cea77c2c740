// `openHook` changes TXT records by an executable of the operator, for zones that accept no dynamic
// updates: `<executable> present|cleanup <name> <value>`. It succeeds by exit status 0.

import { execFile } from 'node:child_process'
import type { ChangeTxt } from '../foundation/dns/update.io.ts'

/** Shorter than a worker's claim. */
const DEADLINE_MS = 20_000
const WORDS_MAX = 200

export const openHook =
  (path: string): ChangeTxt =>
  (change, name, value) =>
    new Promise((resolve) => {
      const action = change === 'add' ? 'present' : 'cleanup'
      execFile(path, [action, name, value], { timeout: DEADLINE_MS }, (error, _, stderr) => {
        if (!error) return resolve(undefined)
        const why = error.killed ? 'it did not end within 20 seconds' : stderr.trim() || error.message
        resolve(`The hook ${path} failed to ${action} ${name}: ${why.slice(0, WORDS_MAX)}`)
      })
    })
