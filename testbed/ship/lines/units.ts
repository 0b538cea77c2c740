// systemd accepts the units without a remark and calls them well protected, and docker-compose accepts the
// compose file. `systemd-analyze verify` ends with 0 even if it does not know a key, so everything that it prints counts.

import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { run } from '../../../tools/release/run.ts'
import { noticed, type ShipLine } from '../line.ts'
import type { Workshop } from '../workshop.ts'

const EXPOSURE_MAX = 2
const repository = join(import.meta.dirname, '../../..')
const units = globSync(join(repository, 'server/units/*.{service,socket,timer}')).sort()
/** The others run nothing. */
const roles = units.filter((path) => path.endsWith('.service') && !path.includes('petstore-listen'))

/** A root of a system with the units of Debian and ours, and the program that they start. */
function rootWith(workshop: Workshop, texts: ReadonlyMap<string, string>): string {
  const root = workshop.newFolder('root')
  cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), { recursive: true, verbatimSymlinks: true })
  const installed = join(root, 'etc/systemd/system')
  mkdirSync(installed, { recursive: true })
  for (const [name, text] of texts) writeFileSync(join(installed, name), text)
  for (const program of ['opt/petstore/current/bin/petstore', 'bin/true']) {
    mkdirSync(dirname(join(root, program)), { recursive: true })
    writeFileSync(join(root, program), '')
    chmodSync(join(root, program), 0o755)
  }
  return root
}

function verified(root: string, name: string): void {
  const { errors } = run('systemd-analyze', ['verify', `--root=${root}`, name])
  if (errors !== '') throw new Error(errors)
}

function exposureOf(path: string): number {
  const { output } = run('systemd-analyze', ['security', '--offline=true', '--no-pager', path])
  const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)?.[1])
  if (!(exposure <= EXPOSURE_MAX)) throw new Error(`${basename(path)} has an exposure of ${exposure}.`)
  return exposure
}

function composed(file: string): void {
  run('docker-compose', ['-f', file, 'config', '-q'], { env: { ...process.env, POSTGRES_PASSWORD: 'any' } })
}

const compose = join(repository, 'image/compose.yaml')

export const unitsAndCompose: ShipLine = {
  name: 'units',
  title: `systemd accepts the units without a remark, exposure at most ${EXPOSURE_MAX}; docker-compose its file`,
  async run(workshop) {
    const root = rootWith(workshop, new Map(units.map((path) => [basename(path), readFileSync(path, 'utf8')])))
    for (const path of units) verified(root, basename(path))
    composed(compose)
    return Object.fromEntries(roles.map((path) => [basename(path), exposureOf(path)]))
  },
  control: {
    title: 'one unknown key fails, in a unit and in the compose file; so does a unit without its sandbox',
    async run(workshop) {
      const [path = ''] = roles
      const name = basename(path)
      const text = readFileSync(path, 'utf8')
      const root = rootWith(workshop, new Map([[name, text.replace('[Service]', '[Service]\nProtectEverything=yes')]]))
      const misspelt = join(workshop.newFolder('compose'), 'compose.yaml')
      writeFileSync(misspelt, readFileSync(compose, 'utf8').replace('read_only:', 'readonly:'))
      const open = join(workshop.newFolder('open'), name)
      writeFileSync(open, text.slice(0, text.indexOf('CapabilityBoundingSet=')))
      const found = [
        await noticed(() => verified(root, name), /Unknown key (name )?'ProtectEverything'/),
        await noticed(() => composed(misspelt), /Unsupported config option[^\n]*'readonly'|readonly/),
        await noticed(() => exposureOf(open), /an exposure of [\d.]+/),
      ]
      return { noticed: found.join('; ') }
    },
  },
}
