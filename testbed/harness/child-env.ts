// The environment of child processes that must not inherit the settings of the shell.

import { join } from 'node:path'

/** Without compiling its sources again, the program starts in half the CPU time. */
const compiled = join(import.meta.dirname, '../../node_modules/.cache/petstore-compiled')

export const childEnv = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled }
