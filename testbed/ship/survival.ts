// What an installation on a machine with systemd survives: PostgreSQL away at boot and while it serves, a port that is
// taken, restarts, a change of its form, and every remedy that `doctor` prints. Each drill returns figures; the lines of
// `npm run ship` judge them.

import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../internet/processes.ts'
import { visit } from '../harness/visitor.ts'
import { alertDrill } from './alert-drill.ts'
import { emptiedMachine } from './emptied-machine.ts'
import type { Installed } from './machine.ts'
import { failedUpgrades, refusedUpgrades, upgradeAndBack, upgradeApart } from './upgrade-drills.ts'
import { untilReady, underVisits } from './visits.ts'
import { secondEdge } from './second-edge.ts'

type Drill = (installed: Installed) => Promise<object>

/** Longer than systemd tries by default: five starts in ten seconds. */
const AWAY_MS = Number(process.env['AWAY_SECONDS'] ?? 90) * 1000
const OUTAGE_MS = Number(process.env['OUTAGE_SECONDS'] ?? 300) * 1000
const RESTARTS = Number(process.env['RESTARTS'] ?? 20)

/** As at boot: the service is started while PostgreSQL is away, much longer than systemd would try. */
async function boot(installed: Installed): Promise<object> {
  const { machine } = installed
  await machine.run('systemctl stop petstore postgresql && systemctl start petstore')
  await pause(AWAY_MS)
  const state = await machine.property('petstore', 'ActiveState')
  const lines = await machine.run('journalctl -u petstore --since -80s --no-pager -q | wc -l')
  await machine.run('systemctl start postgresql')
  const begun = performance.now()
  await untilReady(installed)
  return { state, linesIn80s: Number(lines), readyMs: Math.round(performance.now() - begun) }
}

/** Negative control: the unit as it was, which systemd gives up. */
async function bootLimited(installed: Installed): Promise<object> {
  const { machine } = installed
  const dropIn = '/etc/systemd/system/petstore.service.d/limit.conf'
  const failing =
    '[Unit]\\nStartLimitIntervalSec=10\\nStartLimitBurst=5\\n[Service]\\nExecStartPre=/bin/false\\nRestartSec=100ms\\n'
  await machine.run(`printf '${failing}' >${dropIn} && systemctl daemon-reload && (systemctl restart petstore || true)`)
  await until(
    'That systemd gives the unit up',
    async () => (await machine.property('petstore', 'ActiveState')) === 'failed',
    20_000,
  )
  const result = await machine.property('petstore', 'Result')
  await machine.run(`rm ${dropIn} && systemctl daemon-reload && systemctl reset-failed && systemctl start petstore`)
  await untilReady(installed)
  return { state: 'failed', result }
}

/** Another program has the port of the service, whose own sockets are off. */
async function takenPort(installed: Installed): Promise<object> {
  const { machine } = installed
  await machine.run('systemctl stop petstore petstore-listen.socket')
  const node = '/opt/petstore/current/bin/node'
  await machine.run(`systemd-run --unit=squatter ${node} -e "require('net').createServer().listen(3000,'127.0.0.1')"`)
  await until(
    'That the port is taken',
    async () =>
      (
        await machine.attempt(
          `${node} -e "require('net').connect(3000,'127.0.0.1').on('error',()=>process.exit(1)).on('connect',()=>process.exit())"`,
        )
      ).code === 0,
  )
  const begun = performance.now()
  const environment = '-p User=petstore -p Environment=SECRETS_DIRECTORY=/etc/petstore/secrets'
  const { code, output } = await machine.attempt(
    `systemd-run --wait --pipe ${environment} /opt/petstore/current/bin/petstore start`,
  )
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  await machine.run('systemctl stop squatter; systemctl start petstore')
  await untilReady(installed)
  return { code, seconds, output: output.trim().split('\n').slice(-3).join(' ') }
}

const restarted = (installed: Installed, times: number) =>
  underVisits(installed, 100, async () => {
    for (let count = 0; count < times; count += 1) {
      await installed.machine.run('systemctl restart petstore')
      await untilReady(installed)
      await pause(1000)
    }
  })

const restarts: Drill = async (installed) => ({ restarts: RESTARTS, ...(await restarted(installed, RESTARTS)) })

/** Negative control: without sockets that stay open. */
async function restartsAlone(installed: Installed): Promise<object> {
  const { machine } = installed
  const dropIn = '/etc/systemd/system/petstore.service.d/alone.conf'
  // Restarted until it can listen, since the sockets are still open when it first starts.
  await machine.run(`printf '[Service]\\nUnsetEnvironment=LISTEN_FDS\\n' >${dropIn} && systemctl daemon-reload`)
  await machine.run(
    "sed -i 's/^\\(Requires\\|After\\)=\\(.*\\)petstore-listen.socket/\\1=\\2/; s/^Sockets=.*//' /etc/systemd/system/petstore.service",
  )
  await machine.run(
    'systemctl daemon-reload && systemctl stop petstore petstore-listen.socket && systemctl start petstore',
  )
  await untilReady(installed)
  const visits = await restarted(installed, 2)
  await machine.run(`rm ${dropIn} && ${installed.setup} && systemctl stop petstore && systemctl start petstore`)
  await untilReady(installed)
  return visits
}

async function forms(installed: Installed): Promise<object> {
  const { machine, setup } = installed
  const units: string[] = []
  const active =
    'systemctl list-units --plain --no-legend --state=active "petstore*.service" | cut -d " " -f 1 | tr "\\n" " "'
  const visits = await underVisits(installed, 50, async () => {
    for (const roles of ['serve,work,edge', 'start']) {
      await pause(2000)
      await machine.run(`${setup} --roles ${roles}`)
      await untilReady(installed)
      units.push((await machine.run(active)).trim())
      await pause(5000)
    }
  })
  return { units: units.join(' → '), ...visits }
}

/** PostgreSQL is stopped while visitors come; then what was logged, and what they got. */
async function outage(installed: Installed): Promise<object> {
  const { machine, target, app, site } = installed
  const created = (await machine.run('petstore keys create --project willow --json')).trim()
  const { key } = JSON.parse(created) as { key: string }
  const get = async (hostname: string, path: string) => {
    const begun = performance.now()
    const met = await visit(target, hostname, { path, headers: { Authorization: `Bearer ${key}` } })
    return { ...met, ms: Math.round(performance.now() - begun) }
  }
  const before = (await get(app, '/v1/pets')).status
  const since = (await machine.run('date +%s')).trim()
  await machine.run('systemctl stop postgresql')
  await pause(2000)
  const api = await get(app, '/v1/pets')
  const dashboard = await get(app, '/')
  const page = await get(site, '/')
  const headers = ['retry-after', 'request-id'].filter((name) => api.headers[name] !== undefined)
  const visits = await underVisits(installed, 10, () => pause(OUTAGE_MS))
  await machine.run('systemctl start postgresql')
  await untilReady(installed)
  const log = `journalctl -u petstore --since @${since} --no-pager -q -o cat`
  // A line for each request is no failure.
  const bytes = Number(await machine.run(`${log} | grep -v '"method"' | wc -c`))
  return {
    before,
    after: (await get(app, '/v1/pets')).status,
    bytesAnHour: Math.round((bytes * 3_600_000) / OUTAGE_MS),
    objectsLogged: Number(await machine.run(`${log} | grep -c 'object Object' || true`)),
    apiStatus: api.status,
    apiMs: api.ms,
    apiParts: [...(api.body.includes('"service_unavailable"') ? ['body'] : []), ...headers].join(' '),
    dashboardStatus: dashboard.status,
    dashboardMs: dashboard.ms,
    siteStatus: page.status,
    visits: visits.requests,
    slowestMs: visits.slowestMs,
  }
}

type Finding = { check: number; sentence: string; remedy: string }

async function findings({ machine }: Installed): Promise<Finding[]> {
  const { output } = await machine.attempt('NODE_EXTRA_CA_CERTS=/usr/local/share/test-roots.pem petstore doctor --json')
  return (JSON.parse(output.slice(output.indexOf('{"findings"'))) as { findings: Finding[] }).findings
}

/** What `doctor` finds on the installation of the document, as it is. */
async function doctor(installed: Installed): Promise<object> {
  const found = await findings(installed)
  return { findings: found.length, found: found.map(({ check, sentence }) => `${check}: ${sentence}`).join(' | ') }
}

const settings = '/etc/petstore/petstore.env'
const asPostgres = (sql: string) => `echo "${sql}" | su postgres -c 'psql -q -v ON_ERROR_STOP=1 petstore'`
const cluster = 'postgresql@17-main'
const inCluster = (command: string) =>
  `systemctl stop petstore ${cluster} && su postgres -c '/usr/lib/postgresql/17/bin/${command} -D /var/lib/postgresql/17/main' && systemctl start ${cluster}`

/** Something that `doctor` finds, and what an operator does about it: the command of the remedy, unless it is in words. */
type Broken = { check: number; by: string; mended?: string; staysUntilRenewed?: true }

const listenAgain = 'systemctl restart petstore-listen.socket'
const openSettings = `echo EDGE_KEY=$(head -c 32 /dev/urandom | base64) >>${settings} && chown root:root ${settings} && chmod 644 ${settings}`

const broken: readonly Broken[] = [
  { check: 2, by: 'systemctl stop postgresql', mended: 'systemctl start postgresql' },
  {
    check: 3,
    by: asPostgres('alter role petstore_app bypassrls'),
    mended: asPostgres('alter role petstore_app nobypassrls'),
  },
  { check: 5, by: `echo PROCESSES=20 >>${settings}`, mended: `sed -i /PROCESSES/d ${settings}` },
  {
    check: 7,
    by: `${asPostgres('alter system set fsync = off')} && systemctl reload postgresql`,
    mended: `${asPostgres('alter system set fsync = on')} && systemctl reload postgresql`,
  },
  { check: 8, by: inCluster('pg_checksums --disable'), mended: inCluster('pg_checksums --enable') },
  { check: 10, by: `echo NO_SUCH_SETTING=1 >>${settings}`, mended: `sed -i /NO_SUCH_SETTING/d ${settings}` },
  { check: 11, by: openSettings },
  { check: 11, by: 'chmod 644 /etc/petstore/secrets/PROBE_SECRET' },
  {
    check: 13,
    by: `sed -i /TRUSTED_PROXIES/d ${settings}`,
    mended: `echo TRUSTED_PROXIES=127.0.0.1,::1 >>${settings}`,
  },
  { check: 18, by: 'systemctl stop caddy', mended: 'systemctl start caddy' },
  {
    check: 20,
    by: `echo EDGE_HOST=0.0.0.0 >>${settings} && SETUP && ${listenAgain}`,
    mended: `sed -i s/EDGE_HOST=.*/EDGE_HOST=127.0.0.1/ ${settings} && SETUP && ${listenAgain}`,
  },
  { check: 19, by: 'rm /etc/petstore/caddy.json' },
  { check: 19, by: 'echo {} >/etc/petstore/caddy.json' },
  {
    check: 28,
    by: `petstore edges add away && ${asPostgres("update edge_directory set token_misused_at = now() where name = 'away'")}`,
  },
  {
    check: 29,
    by: asPostgres(
      "update certificates set not_before = now() - interval '88 days', not_after = now() + interval '2 days' where hostname like 'willow.%'",
    ),
    staysUntilRenewed: true,
  },
  {
    check: 30,
    by: `echo DATABASE_BYTES_MAX=1000000 >>${settings}`,
    mended: `sed -i /DATABASE_BYTES_MAX/d ${settings}`,
  },
]

/** Breaks one thing after the other, and does what `doctor` prints about it, until the service is ready again. */
async function remedies(installed: Installed): Promise<object> {
  const { machine } = installed
  const executed: string[] = []
  for (const { check, by, mended, staysUntilRenewed } of broken) {
    await machine.run(by.replace('SETUP', installed.setup))
    if (by.includes('SETUP')) await untilReady(installed)
    const found = (await findings(installed)).find((one) => one.check === check)
    if (found === undefined) throw new Error(`doctor does not find check ${check} after: ${by}`)
    const command = mended ?? /Run: (.+?)(?:, and add the edge again\.|$)/m.exec(found.remedy)?.[1]
    if (command === undefined) throw new Error(`The remedy of check ${check} has no command: ${found.remedy}`)
    await machine.run(command.replace('SETUP', installed.setup))
    await machine.run('systemctl restart petstore')
    await untilReady(installed, 30_000).catch(() => {
      throw new Error(`After the remedy of check ${check} the service is not ready: ${command}`)
    })
    if (!staysUntilRenewed && (await findings(installed)).some((one) => one.check === check))
      throw new Error(`After its remedy, check ${check} finds the same: ${command}`)
    executed.push(mended === undefined ? `${check} (as printed)` : String(check))
  }
  return { executed: executed.join(', ') }
}

/** Negative control: what `doctor` printed once about settings that every user can read. */
async function formerRemedy(installed: Installed): Promise<object> {
  const { machine } = installed
  await machine.run(`${openSettings} && chmod o= ${settings} && systemctl restart petstore`)
  const isUp = await untilReady(installed, 10_000).then(
    () => true,
    () => false,
  )
  await machine.run(`sed -i /EDGE_KEY/d ${settings} && chgrp petstore ${settings} && systemctl restart petstore`)
  await untilReady(installed)
  return { isReady: isUp ? 1 : 0 }
}

export const survivalDrills: Readonly<Record<string, Drill>> = {
  doctor,
  remedies,
  'former-remedy': formerRemedy,
  boot,
  'boot-limited': bootLimited,
  'taken-port': takenPort,
  outage,
  restarts,
  forms,
  upgrade: upgradeAndBack,
  'upgrade-apart': upgradeApart,
  'refused-upgrades': refusedUpgrades,
  'failed-upgrade': failedUpgrades,
  'restarts-alone': restartsAlone,
  alerts: alertDrill,
  'second-edge': secondEdge,
  emptied: emptiedMachine,
}
