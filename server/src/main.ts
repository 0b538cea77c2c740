#!/usr/bin/env node
// The program. Reads arguments, environment and clock, and hands them on; nobody
// else does. One program, several roles: `serve`, `migrate`, `start`, and the
// operator's commands for projects and keys.

import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import { parseConfig } from './config.ts'
import { createProjectCommand, keyCommands } from './commands.ts'
import { turnwise } from './foundation/log.ts'
import { migrate } from './foundation/migrate.ts'
import { startService } from './serve.ts'
import { isSupervised, superviseSeveral } from './several.ts'

const program = new Command('petstore')
  .description('Animals of a shop or shelter: an exact HTTP API, a website, and its own domain.')
  .showHelpAfterError()

program
  .command('serve')
  .description('serve the API')
  .action(() => serve())

program
  .command('migrate')
  .description('bring the schema forward (as DATABASE_OWNER_URL)')
  .action(async () => {
    const applied = await runMigrations()
    print(applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`)
  })

program
  .command('start')
  .description('migrate, then everything in one process: for development and small installations')
  .action(async () => {
    await runMigrations()
    await serve()
  })

const context = () => ({ config: config(), print, invalid: (why: string) => new InvalidArgumentError(why) })
program.addCommand(createProjectCommand(context))
program.addCommand(keyCommands(context))

try {
  await program.parseAsync()
} catch (error) {
  // What an operator can mend is said in a sentence; a bug shows its stack.
  process.stderr.write(`${error instanceof Error ? sentenceOf(error) : String(error)}\n`)
  if (process.env['PETSTORE_DEBUG'] && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  process.exitCode = 1
  // The channel to whoever supervises would keep a process alive that has nothing left to do.
  if (isSupervised()) process.exit(1)
}

async function serve(): Promise<void> {
  const settings = config()
  if (settings.processes > 1 && !isSupervised()) {
    process.exitCode = await superviseSeveral(settings.processes)
    return
  }
  const log = turnwise((text) => void process.stdout.write(text))
  process.once('exit', () => log.flush())
  const service = await startService(settings, { logger: { level: settings.logLevel, stream: log } })
  service.app.log.info({ port: service.port }, 'serving')
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // Ctrl-C may come twice, from the terminal and from npm; once is enough.
      if (isStopping) return
      isStopping = true
      service.app.log.info({ signal }, 'stopping')
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          service.app.log.error({ err: error }, 'did not stop cleanly')
          process.exit(1)
        },
      )
      // Whoever does not finish within ten seconds is cut off.
      setTimeout(() => process.exit(1), 10_000).unref()
    })
  }
}

async function runMigrations(): Promise<readonly string[]> {
  const { databaseOwnerUrl } = config()
  if (!databaseOwnerUrl) throw new Error('DATABASE_OWNER_URL is required to migrate (the role petstore_owner).')
  return migrate(databaseOwnerUrl.reveal())
}

function config() {
  return parseConfig(withFiles(process.env))
}

/** A secret may come as the path of a file: DATABASE_URL_FILE instead of DATABASE_URL. */
function withFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const secrets = ['DATABASE_URL', 'DATABASE_OWNER_URL']
  const read = secrets.flatMap((name) => {
    const path = env[`${name}_FILE`]
    return path ? [[name, readFileSync(path, 'utf8').trim()] as const] : []
  })
  return { ...env, ...Object.fromEntries(read) }
}

/** With the reason behind it: that PostgreSQL cannot answer helps nobody who does not learn why. */
function sentenceOf({ message, cause }: Error): string {
  const reason = cause instanceof Error ? cause.message || (cause as { code?: string }).code : undefined
  return reason === undefined ? message : `${message}: ${reason}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
