// Reads the list of common passwords from the disk, once.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonPasswordsIn } from './password-rules.ts'

const file = join(import.meta.dirname, '../../../assets/common-passwords.txt')
let known: ReadonlySet<string> | undefined

export const readCommonPasswords = (): ReadonlySet<string> => (known ??= commonPasswordsIn(readFileSync(file, 'utf8')))
