// The machine of an installation is lost, and comes back as the document says: what was copied elsewhere, and three commands
// on a machine without settings, data and database.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { visit } from '../harness/visitor.ts'
import { until } from '../internet/processes.ts'
import { commandsIn } from './commands-in.ts'
import type { Installed } from './machine.ts'

const document = join(import.meta.dirname, '../../docs/operations.md')
/** As in the document: a folder of another machine. */
const ELSEWHERE = '/mnt/backups'
const PATIENCE_MS = 120_000

const prepared = [
  `mkdir -p ${ELSEWHERE}/tombstones && chown -R petstore: ${ELSEWHERE}`,
  `echo TOMBSTONES_DIRECTORY=${ELSEWHERE}/tombstones >>/etc/petstore/petstore.env`,
  `printf '[Service]\\nReadWritePaths=${ELSEWHERE}\\n' >/etc/systemd/system/petstore.service.d/backups.conf`,
  'systemctl daemon-reload && systemctl restart petstore',
]

const copied = `cp -a /etc/petstore/secrets ${ELSEWHERE}/secrets && cp /var/lib/petstore/backups/*.backup ${ELSEWHERE}/`

const emptied = [
  'systemctl disable --now petstore petstore-listen.socket petstore-backup.timer; systemctl stop caddy',
  'rm -rf /etc/petstore /etc/caddy/Caddyfile /var/lib/petstore /var/cache/petstore',
  `su postgres -c 'dropdb petstore && for role in app owner backup; do dropuser petstore_$role; done'`,
  `mkdir /etc/petstore && cp -a ${ELSEWHERE}/secrets /etc/petstore/secrets`,
]

export async function emptiedMachine({ machine, target, app, site, inTestInternet }: Installed): Promise<object> {
  const lineWith = (text: string) => machine.attempt(`grep -hqs ${text} ${ELSEWHERE}/tombstones/*.jsonl`)
  const untilWritten = (text: string) =>
    until(`The tombstone ${text}`, async () => (await lineWith(text)).code === 0, PATIENCE_MS)
  const newKey = async () => {
    const { id, key } = JSON.parse(await machine.run('petstore keys create --project willow --json')) as Key
    return { id, get: async () => (await see(app, '/v1/pets', { Authorization: `Bearer ${key}` })).status }
  }
  const see = (hostname: string, path: string, headers: Record<string, string> = {}) =>
    visit(target, hostname, { path, headers, timeoutMs: 20_000 })
  const photoOf = async () => /\/photos\/[^"\s,]+/.exec((await see(site, '/')).body)?.[0]

  for (const command of prepared) await machine.run(command)
  await untilWritten('begin')
  await until('A photo on the site', async () => (await photoOf()) !== undefined, PATIENCE_MS)
  const photo = (await photoOf()) ?? ''
  const [kept, revoked] = [await newKey(), await newKey()]
  const page = (await see(site, '/')).body
  await machine.run('systemctl start petstore-backup')
  const statuses = async () => ({
    kept: await kept.get(),
    revoked: await revoked.get(),
    photo: (await see(site, photo)).status,
  })
  await until('That both keys are accepted', async () => (await statuses()).revoked === 200, PATIENCE_MS)
  await machine.run(`petstore keys revoke --project willow ${revoked.id}`)
  await untilWritten(revoked.id)
  await machine.run(copied)
  const file = (await machine.run(`ls ${ELSEWHERE}/*.backup`)).trim()
  const commands = commandsIn(readFileSync(document, 'utf8'), '## Backup and restore')

  /** Milliseconds from the first command until site and API are there. */
  const restore = async (change = (command: string) => command) => {
    for (const command of emptied) await machine.run(command)
    const begun = performance.now()
    for (const command of commands) await machine.run(inTestInternet(change(command.replace(/\S+\.backup/, file))))
    await until('The restored site', async () => (await see(site, '/')).status === 200, PATIENCE_MS)
    await until('The restored API', async () => (await kept.get()) === 200, PATIENCE_MS)
    return Math.round(performance.now() - begun)
  }
  const restoredMs = await restore()
  const isSamePage = (await see(site, '/')).body === page ? 1 : 0
  const found = { commands: commands.length, restoredMs, isSamePage, ...(await statuses()) }
  // Negative control.
  await restore((command) => command.replace(/--tombstones \S+/, '--without-tombstones'))
  return { ...found, revivedWithoutTombstones: (await statuses()).revoked }
}

type Key = { id: string; key: string }
