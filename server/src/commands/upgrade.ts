// `petstore upgrade` replaces the release of this machine by one that was downloaded, and `--back` returns to the one before.
// - Releases are folders beside each other. The link `current` names the one that runs, `previous` the one to go back to.
// - Whatever fails before the link is moved leaves the release that runs as it is; later, it is started again.
// - A release is activated by its own program, in either direction, so an older one needs to know nothing of a newer one.

import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readlinkSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command, Option } from 'commander'
import { superfluous, versionTrouble } from '../operations/upgrade/decide.ts'
import { unpackRelease } from '../operations/upgrade/release-file.io.ts'
import { compileAhead, isRunning, restartInto } from '../operations/upgrade/running-units.io.ts'
import { linkTo, perform } from '../operations/setup/perform.io.ts'
import { adminPortOf, type Config } from '../program/config.ts'
import { release } from '../program/release.ts'
import { reachable } from './health.ts'
import { runMigrate } from './migrate.ts'
import { renewUnits } from './setup.ts'

type Print = (text: string) => void
type Flags = { signers: string; unsigned?: true; yes?: true; back?: true; activate?: true }
type Machine = {
  /** The folder of releases. */
  home: string
  running: string
  /** A command of one of them, with the settings of this one: whether it ended with 0. */
  petstore: (folder: string, ...args: readonly string[]) => boolean
  print: Print
}

export function upgradeCommand(
  installation: () => Promise<{ config: Config }>,
  program: Command,
  print: Print,
  invalid: (why: string) => Error,
): Command {
  return new Command('upgrade')
    .argument('[file]', 'the archive of a release, next to its SHA256SUMS and SHA256SUMS.sig')
    .option('--signers <file>', 'the keys that you trust (allowed signers)', '/etc/petstore/allowed_signers')
    .option('--unsigned', 'do without a signature')
    .option('--yes', 'do not ask')
    .option('--back', 'return to the release that ran before the last upgrade')
    .addOption(new Option('--activate', 'the second half, of the release that begins to run').hideHelp())
    .action(async (file: string | undefined, flags: Flags) => {
      if (process.getuid?.() !== 0) throw invalid('upgrade must be run as root.')
      const { config } = await installation()
      const here = join(import.meta.dirname, '../..')
      if (flags.activate) return activate(config, here, print)
      const { config: settings } = program.opts<{ config?: string }>()
      const global = settings === undefined ? [] : ['--config', settings]
      const petstore = (folder: string, ...args: readonly string[]) =>
        spawnSync(join(folder, 'bin/petstore'), [...global, ...args], { stdio: 'inherit' }).status === 0
      const machine = { home: dirname(here), running: here, petstore, print }
      if (linkIn(machine, 'current') !== here)
        throw new Error(
          `${join(machine.home, 'current')} does not lead to this release: run petstore setup of the release that runs.`,
        )
      if (flags.back) return goBack(machine)
      if (file === undefined) throw invalid('upgrade takes the file of a release, or --back.')
      await upgrade(machine, file, { ...flags, migrates: migratesHere(config) })
    })
}

function linkIn({ home }: Machine, name: 'current' | 'previous'): string | undefined {
  try {
    return readlinkSync(join(home, name))
  } catch {
    return undefined
  }
}

/** Machines without the password of the owner, and edges, take the schema as it is. */
const migratesHere = ({ edge, databaseOwnerUrl }: Config) => edge === undefined && databaseOwnerUrl !== undefined

async function upgrade(machine: Machine, file: string, flags: Flags & { migrates: boolean }): Promise<void> {
  const { home, running, petstore, print } = machine
  const unpacking = join(home, '.unpacking')
  let target: string
  try {
    const { folder, version } = await unpackRelease(file, unpacking, flags.unsigned ? undefined : flags.signers)
    const trouble = versionTrouble(version, release.version)
    if (trouble !== undefined) throw new Error(trouble)
    print(flags.unsigned ? `${version}, without a signature.` : `${version} has a signature that you trust.`)
    if (flags.migrates && !petstore(folder, 'migrate', '--plan'))
      throw new Error(`${version} cannot continue from this schema, for the reason above. Nothing was changed.`)
    if (!flags.yes && !(await confirmed(`Upgrade from ${release.version} to ${version}?`)))
      return print('Nothing was changed.')
    target = join(home, version)
    rmSync(target, { recursive: true, force: true })
    renameSync(folder, target)
    // A link on the disk must not lead to files that are not there yet.
    execFileSync('sync', ['--file-system', home])
  } finally {
    rmSync(unpacking, { recursive: true, force: true })
  }
  switchTo(machine, target)
  linkTo(join(home, 'previous'), running)
  const kept = [target, running].map((folder) => basename(folder))
  for (const name of superfluous(readdirSync(home), kept)) rmSync(join(home, name), { recursive: true })
  petstore(target, 'doctor')
  print(`${basename(target)} runs. To go back to ${basename(running)}: petstore upgrade --back`)
}

function goBack(machine: Machine): void {
  const before = linkIn(machine, 'previous')
  if (before === undefined) throw new Error(`There is no release before ${release.version} here.`)
  switchTo(machine, before)
  rmSync(join(machine.home, 'previous'))
  machine.petstore(before, 'doctor')
  machine.print(`${basename(before)} runs again. The schema stays as it is; petstore upgrade continues from there.`)
}

function switchTo({ running, petstore }: Machine, target: string): void {
  if (petstore(target, 'upgrade', '--activate')) return
  if (!petstore(running, 'upgrade', '--activate'))
    throw new Error(`Neither ${target} nor ${running} runs. See: journalctl -u 'petstore*' -n 100`)
  throw new Error(`${basename(target)} does not run, for the reason above. ${basename(running)} runs as before.`)
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error('Nothing was changed: without a terminal, upgrade needs --yes.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question(`${question} [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer)
}

const roles = [
  ['petstore', 'start'],
  ['petstore-serve', 'serve'],
  ['petstore-work', 'work'],
  ['petstore-edge', 'edge'],
] as const

/** Makes this release the one that runs; what runs it already stays. */
async function activate(config: Config, here: string, print: Print): Promise<void> {
  if (migratesHere(config)) await runMigrate(config, { retry: true }, { print, warn: print })
  compileAhead(join(import.meta.dirname, '../program/start.ts'))
  await perform(renewUnits(config), undefined, true)
  linkTo(join(dirname(here), 'current'), here)
  for (const [unit, role] of roles.filter(([name]) => isRunning(name))) {
    const began = performance.now()
    await restartInto(release.version, unit, `http://${reachable(config.admin.host)}:${adminPortOf(config, role)}`)
    print(`${unit}: ready with ${release.version} after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
}
