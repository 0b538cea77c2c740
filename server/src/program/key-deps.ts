// The dependencies of creating API keys, from the configuration: for callers other than the
// service, such as the operator's commands.

import { randomBytes } from 'node:crypto'
import { kindOf, type Config } from './config.ts'
import { newId } from '../foundation/ids.io.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import { mailQueue } from '../mail/queue.io.ts'
import type { KeyDeps } from '../projects/api-keys.io.ts'
import { inProjectOf } from '../projects/scope.io.ts'

export const keyDepsOf = (config: Config, database: Database): KeyDeps => ({
  inProject: inProjectOf(database),
  kind: kindOf(config),
  newId,
  randomBytes,
  queueMail: config.mail && mailQueue(newId),
})
