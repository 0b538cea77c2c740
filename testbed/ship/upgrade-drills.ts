// Upgrades of an installation by the commands of the document, from files that were downloaded: one that succeeds and is
// undone, those that are refused, and one whose release does not start.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../internet/processes.ts'
import { commandsIn } from './commands-in.ts'
import type { Installed } from './machine.ts'
import { underVisits, untilReady } from './visits.ts'

const document = join(import.meta.dirname, '../../docs/operations.md')
/** What `nextRelease` has built. */
const DOWNLOADED = '/root/downloaded'
const HOME = '/opt/petstore'

/** The commands of the document, with the file that was downloaded and no questions. */
async function commandsFor({ machine, inTestInternet }: Installed) {
  const [upgrade = '', back = ''] = commandsIn(readFileSync(document, 'utf8'), '## Upgrades')
  const file = (await machine.run(`ls ${DOWNLOADED}/petstore-*.tar.gz`)).trim()
  const named = upgrade
    .replace(/petstore-\S+\.tar\.gz/, file)
    .replace(/(--signers) \S+/, `$1 ${DOWNLOADED}/allowed_signers`)
  return { upgrade: `${inTestInternet(named)} --yes`, back: inTestInternet(back), file }
}

/** The release that answers: that of `start`, or of `serve` where roles are apart. */
async function releaseOf({ machine }: Installed): Promise<string> {
  const get = (port: number) => `fetch('http://127.0.0.1:${port}/version')`
  const script = `${get(3900)}.catch(() => ${get(3901)}).then(async (r) => console.log((await r.json()).version))`
  let version = ''
  // The admin listener begins a moment after the one for requests.
  await until('That a release answers', async () => {
    const { code, output } = await machine.attempt(`${HOME}/current/bin/node -e "${script}"`)
    version = output.trim()
    return code === 0
  })
  return version
}

/** Files of a release that its archive does not have, and those of the archive that are not there. */
async function strayFiles({ machine }: Installed, version: string, archive: string): Promise<string[]> {
  const inArchive = `tar -tzf ${archive} | grep -v '/$' | sed 's,^petstore/,,' | LC_ALL=C sort >/tmp/archived`
  const onDisk = `(cd ${HOME} && find ${version} ! -type d) | LC_ALL=C sort >/tmp/unpacked`
  const differing = await machine.run(`${inArchive}; ${onDisk}; diff /tmp/archived /tmp/unpacked || true`)
  return differing.split('\n').filter((line) => /^[<>]/.test(line))
}

const stateOf = ({ machine }: Installed) => machine.run(`ls -A ${HOME}; readlink ${HOME}/current`)

export async function upgradeAndBack(installed: Installed): Promise<object> {
  const { machine } = installed
  const { upgrade, back, file } = await commandsFor(installed)
  const before = await releaseOf(installed)
  const versions: string[] = []
  const output: string[] = []
  const stray: string[] = []
  const visits = await underVisits(installed, 100, async () => {
    for (const command of [upgrade, back]) {
      await pause(2000)
      output.push(await machine.run(command))
      await untilReady(installed)
      versions.push(await releaseOf(installed))
      await pause(5000)
    }
  })
  const [next = ''] = versions
  stray.push(...(await strayFiles(installed, next, file)))
  stray.push(...(await strayFiles(installed, before, `/root/petstore-${before}-*.tar.gz`)))
  const sql = "select count(*) from schema_migrations where name like '9001%'"
  const newer = (await machine.run(`su postgres -c "psql -qAt petstore -c \\"${sql}\\""`)).trim()
  const seconds = output.flatMap((text) => /after ([\d.]+) s/.exec(text)?.[1] ?? '').join(', ')
  return {
    before,
    versions: versions.join(' → '),
    newerMigrations: Number(newer),
    stray: stray.length,
    seconds,
    ...visits,
  }
}

/** The same with the roles apart, which are restarted one after the other. */
export async function upgradeApart(installed: Installed): Promise<object> {
  await installed.machine.run(`${installed.setup} --roles serve,work,edge`)
  await untilReady(installed)
  const found = await upgradeAndBack(installed)
  await installed.machine.run(`${installed.setup} --roles start`)
  await untilReady(installed)
  return found
}

/** What must change nothing: each with what the command says about it. */
export async function refusedUpgrades(installed: Installed): Promise<object> {
  const { machine } = installed
  const { upgrade, file } = await commandsFor(installed)
  const full = `mount -t tmpfs -o size=$(($(du -sm ${HOME} | cut -f 1) + 60))m tmpfs /mnt && cp -a ${HOME}/. /mnt/ && mount --bind /mnt ${HOME}`
  const cases: Readonly<Record<string, readonly [change: string, command: (upgrade: string) => string, says: RegExp]>> =
    {
      tampered: [`printf x >>${file}`, (one) => one, /not the file that was signed/],
      unsigned: [`rm ${DOWNLOADED}/SHA256SUMS.sig`, (one) => one, /has no signature/],
      foreign: [`cd ${DOWNLOADED} && cp other_signers allowed_signers`, (one) => one, /not signed by a key/],
      interrupted: [`truncate -s 20M ${file}`, (one) => `${one} --unsigned`, /tar/],
      full: [
        'true',
        (one) => `unshare --mount sh -c '${full} && ${one.replaceAll("'", `'\\''`)}'`,
        /ENOSPC|No space left/,
      ],
    }
  const found: Record<string, string> = {}
  const state = await stateOf(installed)
  const version = await releaseOf(installed)
  for (const [name, [change, commandOf, says]] of Object.entries(cases)) {
    await machine.run(`cp -a ${DOWNLOADED} ${DOWNLOADED}.kept && ${change}`)
    const { code, output } = await machine.attempt(commandOf(upgrade))
    await machine.run(`rm -r ${DOWNLOADED} && mv ${DOWNLOADED}.kept ${DOWNLOADED}`)
    if (code !== 1 || !says.test(output)) throw new Error(`${name} ended with ${code}: ${output}`)
    if ((await stateOf(installed)) !== state)
      throw new Error(`${name} left something behind: ${await stateOf(installed)}`)
    found[name] = output.trim().split('\n').at(-1) ?? ''
  }
  if ((await releaseOf(installed)) !== version) throw new Error('Another release runs.')
  return { refused: Object.keys(found).length, ...found }
}

/** A release whose program ends as it starts: the one before has to run again, without a command. */
export async function failedUpgrades(installed: Installed): Promise<object> {
  const { machine } = installed
  const { upgrade, file } = await commandsFor(installed)
  const version = await releaseOf(installed)
  const broken = '/root/broken/petstore-99.0.0-linux-x64.tar.gz'
  await machine.run(
    `mkdir /root/broken && cd /root/broken && tar -xzf ${file} && mv petstore/* petstore/99.0.0 && ` +
      `sed -i 's/"version": "[^"]*"/"version": "99.0.0"/' petstore/99.0.0/package.json && ` +
      `sed -i '/^async function together/s/$/ throw new Error("broken on purpose")/' petstore/99.0.0/dist/main.js && ` +
      `tar -czf ${broken} petstore`,
  )
  const begun = performance.now()
  const { code, output } = await machine.attempt(`${upgrade.replace(file, broken)} --unsigned`)
  const seconds = Math.round((performance.now() - begun) / 1000)
  await untilReady(installed)
  const now = await releaseOf(installed)
  await machine.run(`rm -r /root/broken ${HOME}/99.0.0`)
  return { code, seconds, runsAsBefore: now === version ? 1 : 0, says: output.trim().split('\n').at(-1) ?? '' }
}
