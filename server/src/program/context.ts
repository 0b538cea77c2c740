// The context of every role that has a database, and of commands: what the configuration opens, once per process, and what
// features build for each other.

import { randomBytes } from 'node:crypto'
import { openKeys, type Keys } from '../certificates/key-encryption.io.ts'
import type { Context } from '../foundation/context.ts'
import { openDns } from '../foundation/dns/client.io.ts'
import type { Dns } from '../foundation/dns/port.ts'
import { newId } from '../foundation/ids.io.ts'
import type { KeyKind } from '../foundation/key-format.ts'
import type { Database } from '../foundation/postgres/postgres.io.ts'
import type { QueueMail } from '../mail/queue.io.ts'
import { openObjects } from '../photos/store/open-objects.io.ts'
import { planRulesOf } from '../plans/limits.ts'
import type { ProjectContext } from '../projects/project-context.ts'
import { inProjectOf, inProjectsOf, type InProjects } from '../projects/scope.io.ts'
import { kindOf, type Config } from './config.ts'
import { queueMail, type MailKindName } from './mail-kinds.ts'

export type ProgramContext = ProjectContext & {
  config: Config
  inProjects: InProjects
  kind: KeyKind
  /** Undefined if this installation sends no mail. */
  queueMail: QueueMail<MailKindName> | undefined
  /** Encrypts private keys; undefined if no certificates are ordered here. */
  keys: Keys | undefined
}

export function contextOf(config: Config, database: Database, overrides: Partial<Context> = {}): ProgramContext {
  const inProject = inProjectOf(database)
  return {
    config,
    database,
    inProject,
    inProjects: inProjectsOf(database),
    dns: overrides.dns ?? dnsOf(config),
    objects: overrides.objects ?? openObjects(config, inProject),
    now: overrides.now ?? Date.now,
    monotonic: overrides.monotonic ?? (() => performance.now()),
    newId: overrides.newId ?? newId,
    randomBytes: overrides.randomBytes ?? randomBytes,
    onError: overrides.onError ?? (() => {}),
    kind: kindOf(config),
    plans: planRulesOf(config.limitTable),
    queueMail: config.mail && queueMail,
    keys: config.certificates && openKeys(config.certificates.keys),
  }
}

/** One per process: its cache and its rate limits hold for all queries. */
export function dnsOf({ domains }: Pick<Config, 'domains'>): Dns {
  const { resolvers, authoritativePort, testNetworks: allowedNetworks, questionsPerSecond: perSecond } = domains
  return openDns({ resolvers, authoritativePort, allowedNetworks, randomBytes, perSecond, burst: 6 * perSecond })
}
